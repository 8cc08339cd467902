/**
 * Whether a status says that the server is there and will take this question neither now nor later: 4xx, but not 401 and 403
 * (credentials of all questions), 408 and 429 (now).
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}
