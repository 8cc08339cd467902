const collator = new Intl.Collator('en', { numeric: true });

/** Order of names as people count: `host-9` before `host-10`. */
export function compareNames(left: string, right: string): number {
  return collator.compare(left, right);
}
