import type { WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import type { StrategyContext } from '#libs/plugin-kit';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { type CacheUse, readCacheUse } from './cache-use.ts';
import type { Disturbance, Findings } from './disturbance.ts';
import { findPair, type Pair, priorityOf } from './find-pair.ts';
import type { NoisyNeighborParameters } from './parameters.ts';

/**
 * Finds instances as Watcher does: an instance loses L3 cache while another one gains it. Throws MetricsMissingError
 * when no instance has a value.
 */
export async function findByCache(
  context: StrategyContext<NoisyNeighborParameters>,
  heldBack: (instance: number) => void,
): Promise<Findings> {
  const { model, parameters } = context;
  const use = await readCacheUse(context);
  const found: Disturbance[] = [];
  const quiet: { host: number; cache: number }[] = [];
  for (const host of acceptingHosts(model)) {
    const pair = findPair(model, host, use, parameters.cache_threshold, heldBack);
    if (pair === null) quiet.push({ host, cache: cacheOn(model, use, host) });
    else found.push({ host, ...pair, ...explain(model, use, pair, host) });
  }
  quiet.sort((a, b) => a.cache - b.cache || a.host - b.host);
  return {
    found,
    targets: quiet.map(({ host }) => host),
    crowds: () => false,
    measured: use.current.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0),
    nobody: 'no important instance loses cache to one of lower priority that may be moved',
    notes: [],
  };
}

function cacheOn(model: WhatIf, { current }: CacheUse, host: number): number {
  return model.instancesOn(host).reduce((sum, row) => sum + (current[row] || 0), 0);
}

function explain(model: WhatIf, use: CacheUse, { victim, noisy }: Pair, host: number) {
  const { snapshot } = model;
  const [lost, took] = [instanceAt(snapshot, victim), instanceAt(snapshot, noisy)];
  const changeOf = (row: number) =>
    `from ${shortNumber(use.previous[row] as number)} to ${shortNumber(use.current[row] as number)} B`;
  return {
    why:
      `On ${hostAt(snapshot, host).hostname} the L3 cache of ${instanceLabel(lost)} (priority ${priorityOf(model, victim)}) fell ` +
      `${changeOf(victim)} while that of ${instanceLabel(took)} (priority ${priorityOf(model, noisy)}) rose ${changeOf(noisy)}`,
    values: [cacheChange(model, use, victim), cacheChange(model, use, noisy)],
  };
}

function cacheChange(model: WhatIf, { current, previous }: CacheUse, row: number): BeforeAfter {
  return {
    quantity: 'instance_l3_cache_usage',
    subject: instanceAt(model.snapshot, row).uuid,
    unit: 'B',
    before: previous[row] as number,
    after: current[row] as number,
  };
}
