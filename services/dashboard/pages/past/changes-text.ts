import type { ClusterPast } from '#libs/client';
import { text } from '../../texts/texts.ts';
import type { HeatMeasure } from '../cluster/cluster-map.tsx';
import { countChanges, noticedPoints } from './compare-hosts.ts';

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
