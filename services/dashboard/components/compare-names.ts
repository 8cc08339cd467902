/** Order of names as people count: `host-9` before `host-10`. */
export function compareNames(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
