import type { ClusterPast } from '#libs/client';
import { text } from '../../texts/texts.ts';
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

/** Number of moved instances, of migrations, and of hosts that became fuller or less full, or that nothing changed. */
export function changesText(
  { instances, moves, hosts }: Pick<ClusterPast, 'instances' | 'moves' | 'hosts'>,
  measure: HeatMeasure,
  isCompared: boolean,
): string {
  const { fuller, emptier, unknown } = countChanges(hosts, measure);
  if (instances.moved + moves + fuller + emptier + unknown === 0)
    return text('past.unchanged', { points: noticedPoints });
  const fullerText = text(isCompared ? 'past.fullerLater' : 'past.fuller', { count: fuller });
  const parts = [
    `${fullerText} ${text('past.byPoints', { points: noticedPoints })}`,
    text('past.emptier', { count: emptier }),
    ...(unknown > 0 ? [text('past.unknownChange', { count: unknown })] : []),
  ];
  const moved = text('past.moved', { count: instances.moved, total: instances.before });
  const migrations = text(isCompared ? 'past.movesBetween' : 'past.moves', { count: moves });
  return `${moved} ${migrations} ${parts.join(', ')}.`;
}
