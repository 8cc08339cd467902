import { type MigrationNetwork, networksOf } from '#libs/plugin-kit';
import type { Slot } from '#libs/store';
import type { OccupancyLimits } from './occupancy.ts';
import type { HostAggregate } from './read-aggregates.ts';

/**
 * Adds shared slots to the names that an action occupies: one for the whole cloud (`all:`), one for each network that
 * it uses (`network:<name>`), and one for each aggregate of its hosts (`aggregate:<name>`).
 */
export function withShared(
  names: readonly string[],
  networks: readonly MigrationNetwork[],
  aggregates: readonly HostAggregate[] = [],
): string[] {
  if (names.length === 0) return [];
  const hosts = names.flatMap((name) =>
    /^(source|destination):/.test(name) ? [name.slice(name.indexOf(':') + 1)] : [],
  );
  const touched = aggregates.filter((aggregate) => hosts.some((host) => aggregate.hosts.includes(host)));
  return [
    ...new Set([
      ...names,
      'all:',
      ...networksOf(hosts, networks).map((name) => `network:${name}`),
      ...touched.map(({ name }) => `aggregate:${name}`),
    ]),
  ];
}

/** The limits that apply across processes, in a fixed order. */
export function slotsOf(names: readonly string[], limits: OccupancyLimits): Slot[] {
  const slots = names.flatMap((name) => {
    const limit = limits[name.slice(0, name.indexOf(':'))];
    return limit === undefined ? [] : [{ name, limit }];
  });
  return slots.sort(byName);
}

function byName(one: Slot, other: Slot): number {
  return one.name < other.name ? -1 : 1;
}
