const storageKey = 'vigil-place-before';

/** Keeps where somebody was before the browser leaves for another site, in this tab. */
export function rememberPlace(): void {
  sessionStorage.setItem(storageKey, location.href);
}

/** Goes there again, once. A place that is not of this dashboard is forgotten. */
export function returnToPlace(): void {
  const place = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (place?.startsWith(document.baseURI) && place !== location.href) location.replace(place);
}
