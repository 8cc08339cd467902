/** Nova's and Keystone's form with microseconds and no zone: `2026-11-21T00:09:24.000000`. */
export function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000`;
}

/** Form of a server's `created`: `2026-11-21T00:09:26Z`. */
export function secondTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
