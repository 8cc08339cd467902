import type { Logger } from '#libs/domain';

/**
 * Adds to values by label the names that Nova may have for the same hosts: the label without a port, and both without their
 * domain. A name that is a label itself, or that two labels would have, is not added; the latter is logged.
 */
export function withHostAliases(values: Map<string, number>, logger: Logger): Map<string, number> {
  const owners = new Map<string, string[]>();
  for (const label of values.keys()) {
    for (const alias of aliasesOf(label)) owners.set(alias, [...(owners.get(alias) ?? []), label]);
  }
  const all = new Map(values);
  const ambiguous: string[] = [];
  for (const [alias, [label, ...others]] of owners) {
    if (values.has(alias) || label === undefined) continue;
    if (others.length > 0) ambiguous.push(alias);
    else all.set(alias, values.get(label) ?? Number.NaN);
  }
  if (ambiguous.length > 0) {
    logger.warn({ names: ambiguous.slice(0, 10), count: ambiguous.length }, 'short host names fit several hosts');
  }
  return all;
}

/** Names without port and domain; none for addresses, whose parts are no names, and for what can be no host name. */
function aliasesOf(label: string): string[] {
  if (!/^[\w.:-]+$/.test(label)) return [];
  const bare = label.replace(/:\d+$/, '');
  const short = bare.split('.')[0] ?? '';
  const names = /^[\d.]+$|[:[]/.test(bare) || short === '' ? [bare] : [bare, short];
  return [...new Set(names)].filter((name) => name !== label && name !== '');
}
