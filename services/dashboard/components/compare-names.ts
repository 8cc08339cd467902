const collator = new Intl.Collator('en', { numeric: true });

/** Natural order of names: `host-9` before `host-10`. */
export function compareNames(left: string, right: string): number {
  return collator.compare(left, right);
}
