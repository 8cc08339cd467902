import type { Logger } from '#libs/domain';
import { patternOf } from './promql.ts';

/** A pattern, in the syntax of RE2, of all labels that may be those of a host. `labelOfHost` chooses among them. */
export function labelsOfHostPattern(name: string): string {
  return `${patternOf(name)}(\\..+)?(:\\d+)?`;
}

/** The label of a host: the one with this name, or the only one with this alias. Undefined without any. */
export function labelOfHost(name: string, labels: readonly string[], logger: Logger): string | undefined {
  return labels.includes(name) ? name : hostAliases(labels, logger).get(name);
}

/**
 * Labels by further names that Nova may have for the same hosts: the label without a port, and both without their
 * domain. Lacks names that are labels themselves, and names of several labels, which are logged.
 */
export function hostAliases(labels: Iterable<string>, logger: Logger): Map<string, string> {
  const all = new Set(labels);
  const owners = new Map<string, string[]>();
  for (const label of all) {
    for (const alias of aliasesOf(label)) owners.set(alias, [...(owners.get(alias) ?? []), label]);
  }
  const aliases = new Map<string, string>();
  const ambiguous: string[] = [];
  for (const [alias, [label, ...others]] of owners) {
    if (all.has(alias) || label === undefined) continue;
    if (others.length > 0) ambiguous.push(alias);
    else aliases.set(alias, label);
  }
  if (ambiguous.length > 0) {
    logger.warn({ names: ambiguous.slice(0, 10), count: ambiguous.length }, 'short host name matches several hosts');
  }
  return aliases;
}

/** Names without port and domain. None for addresses and other texts. */
function aliasesOf(label: string): string[] {
  if (!/^[\w.:-]+$/.test(label)) return [];
  const bare = label.replace(/:\d+$/, '');
  const short = bare.split('.')[0] ?? '';
  const names = /^[\d.]+$|[:[]/.test(bare) || short === '' ? [bare] : [bare, short];
  return [...new Set(names)].filter((name) => name !== label && name !== '');
}
