/** The canonical lower-case form of anything that Watcher takes for a uuid (braces, `urn:uuid:`, no hyphens); else null. */
export function canonicalUuid(text: string): string | null {
  const digits = text
    .replace(/^urn:uuid:/i, '')
    .replaceAll(/[{}-]/g, '')
    .toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) return null;
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}
