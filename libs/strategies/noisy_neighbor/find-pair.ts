import type { WhatIf } from '#libs/cluster-model';
import { instanceAt } from '../shared/hosts/rows.ts';
import type { CacheUse } from './cache-use.ts';

/** Watcher's priority of instances without one. */
const defaultPriority = 5;

/** An instance that loses cache, and an instance of lower priority on its host that gains it. */
export interface Pair {
  victim: number;
  noisy: number;
}

/**
 * Priority of an instance from its metadata `watcher-priority`. A lower number is more important. Any other text means
 * 5.
 */
export function priorityOf(model: WhatIf, instance: number): number {
  const text = instanceAt(model.snapshot, instance).metadata['watcher-priority'];
  const value = Number(text ?? Number.NaN);
  return text === undefined || text.trim() === '' || Number.isNaN(value) ? defaultPriority : value;
}

/**
 * The most important instance of a host that lost more than `percent` of its cache, with the least important movable
 * instance of lower priority that gained more than `percent`. Null without such a pair. `heldBack` receives noisy
 * instances that cannot be moved.
 */
export function findPair(
  model: WhatIf,
  host: number,
  { current, previous }: CacheUse,
  percent: number,
  heldBack: (instance: number) => void,
): Pair | null {
  const share = percent / 100;
  const ranked = [...model.instancesOn(host)]
    .map((row) => ({ row, priority: priorityOf(model, row) }))
    .sort((a, b) => a.priority - b.priority || a.row - b.row);
  const victim = ranked.find(({ row }) => (current[row] as number) < (1 - share) * (previous[row] as number));
  if (victim === undefined) return null;
  const noisy = ranked.findLast(({ row, priority }) => {
    if (priority <= victim.priority) return false;
    if (!((current[row] as number) > (1 + share) * (previous[row] as number))) return false;
    if (model.immovable(row) === null) return true;
    heldBack(row);
    return false;
  });
  return noisy === undefined ? null : { victim: victim.row, noisy: noisy.row };
}
