import type { ClusterPast } from '#libs/client';
import type { HeatMeasure } from '../cluster/cluster-map.tsx';

type Host = ClusterPast['hosts'][number];
/** The two moments that a page compares. */
export type Side = 'before' | 'now';

/** Points of percent from which a host counts as fuller or less full. */
export const noticedPoints = 5;

/** Load or allocated share of a host in percent. Null: not measured, or without capacity. */
export function shareOf(host: Host, measure: HeatMeasure, side: Side): number | null {
  const use = host[side];
  if (measure === 'cpu_load' || measure === 'memory_load') return use[measure];
  const capacity = host.capacity[measure];
  return capacity > 0 ? (100 * use[measure]) / capacity : null;
}

/** Points by which the share of a host is higher now than then. Null: unknown at one of the moments. */
export function changeOf(host: Host, measure: HeatMeasure): number | null {
  const [before, now] = [shareOf(host, measure, 'before'), shareOf(host, measure, 'now')];
  return before === null || now === null ? null : now - before;
}

/** Hosts that became fuller and less full since then, and those that cannot be compared. */
export function countChanges(
  hosts: readonly Host[],
  measure: HeatMeasure,
): { fuller: number; emptier: number; unknown: number } {
  const changes = hosts.map((host) => changeOf(host, measure));
  return {
    fuller: changes.filter((change) => change !== null && change >= noticedPoints).length,
    emptier: changes.filter((change) => change !== null && change <= -noticedPoints).length,
    unknown: changes.filter((change) => change === null).length,
  };
}
