import type { Slot } from '#libs/store';
import type { OccupancyLimits } from './occupancy.ts';

/** A set of hosts whose instances travel over the same wires: its name, and a pattern of host names with `*`. */
export interface MigrationNetwork {
  name: string;
  pattern: string;
}

/**
 * Adds to what an action occupies what all actions share: a place among all that act on the cloud (`all:`), and one in
 * each network that it uses (`network:<name>`).
 */
export function withShared(names: readonly string[], networks: readonly MigrationNetwork[]): string[] {
  if (names.length === 0) return [];
  const hosts = names.flatMap((name) =>
    /^(source|destination):/.test(name) ? [name.slice(name.indexOf(':') + 1)] : [],
  );
  const used = networks.filter(({ pattern }) => hosts.some((host) => matches(pattern, host)));
  return [...new Set([...names, 'all:', ...used.map(({ name }) => `network:${name}`)])];
}

/** The limits that hold across processes, in a fixed order. */
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

function matches(pattern: string, host: string): boolean {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(host);
}
