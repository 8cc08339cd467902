/** URL of the API, with mount prefix and without a slash at the end. The page's base is `…/dashboard/`. */
export function apiUrl(): string {
  return new URL('..', document.baseURI).href.replace(/\/$/, '');
}

/** Path of the dashboard, for the router. */
export function dashboardPath(): string {
  return new URL(document.baseURI).pathname.replace(/\/$/, '');
}
