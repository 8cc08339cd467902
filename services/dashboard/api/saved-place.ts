const storageKey = 'vigil-place-before';

/** Stores the current page in this tab before the browser leaves for another site. */
export function rememberPlace(): void {
  sessionStorage.setItem(storageKey, location.href);
}

/** Returns to the stored page, once. Discards pages outside this dashboard. */
export function returnToPlace(): void {
  const place = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (place?.startsWith(document.baseURI) && place !== location.href) location.replace(place);
}
