import type { SchedulerHints } from '../compute-snapshot.ts';
import { isEnabled, type NovaFilter } from '../nova-filters.ts';

/** Hints that only Nova can evaluate, by their filter. */
const unjudgedHints: readonly [NovaFilter, string][] = [
  ['JsonFilter', 'query'],
  ['SimpleCIDRAffinityFilter', 'build_near_host_ip'],
];

/**
 * The hints of a server that the enabled filters read. Null when there are none, or when Nova does not report hints.
 * @param hints by name, as Nova reports them
 * @param enabled default: all filters
 */
export function heededHints(
  hints: Readonly<Record<string, readonly string[]>> | undefined,
  enabled?: readonly NovaFilter[],
): SchedulerHints | null {
  if (hints === undefined) return null;
  const heeded = (filter: NovaFilter, name: string) => (isEnabled(filter, enabled) ? (hints[name] ?? []) : []);
  const differentHost = heeded('DifferentHostFilter', 'different_host');
  const sameHost = heeded('SameHostFilter', 'same_host');
  const unjudged = unjudgedHints.flatMap(([filter, name]) => (heeded(filter, name).length > 0 ? name : []));
  if (differentHost.length + sameHost.length + unjudged.length === 0) return null;
  return {
    ...(differentHost.length > 0 ? { differentHost: [...differentHost] } : {}),
    ...(sameHost.length > 0 ? { sameHost: [...sameHost] } : {}),
    ...(unjudged.length > 0 ? { unjudged } : {}),
  };
}
