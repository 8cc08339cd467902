import type { WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import type { ProposedAction, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { migrateAction, migrationTypeOf } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { type BlockedTally, createBlockedTally } from '../blocked-tally.ts';
import { firstFeasible } from '../first-feasible.ts';
import { acceptingHosts } from '../host-rows.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { type CacheUse, readCacheUse } from './cache-use.ts';
import { findPair, type Pair, priorityOf } from './find-pair.ts';
import { noisyNeighborManifest } from './manifest.ts';
import type { NoisyNeighborParameters } from './parameters.ts';

interface Found extends Pair {
  host: number;
}

/** Hosts where somebody is disturbed, by the victim's priority, and the others, with least cache in use first. */
function sortHosts(model: WhatIf, use: CacheUse, percent: number, blocked: BlockedTally) {
  const found: Found[] = [];
  const quiet: { host: number; cache: number }[] = [];
  const heldBack = (instance: number) =>
    blocked.add(model.immovable(instance) ?? 'instance-state', instanceLabel(instanceAt(model.snapshot, instance)));
  for (const host of acceptingHosts(model)) {
    const pair = findPair(model, host, use, percent, heldBack);
    if (pair !== null) found.push({ ...pair, host });
    else quiet.push({ host, cache: cacheOn(model, use, host) });
  }
  found.sort((a, b) => priorityOf(model, a.victim) - priorityOf(model, b.victim) || a.host - b.host);
  quiet.sort((a, b) => a.cache - b.cache || a.host - b.host);
  return { found, targets: quiet.map(({ host }) => host) };
}

function cacheOn(model: WhatIf, { current }: CacheUse, host: number): number {
  return model.instancesOn(host).reduce((sum, row) => sum + (current[row] || 0), 0);
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

function separate(
  model: WhatIf,
  use: CacheUse,
  { victim, noisy, host: source }: Found,
  state: { targets: readonly number[]; taken: Set<number>; blocked: BlockedTally },
): ProposedAction | null {
  const { snapshot } = model;
  const [lost, took] = [instanceAt(snapshot, victim), instanceAt(snapshot, noisy)];
  const { host, rejected } = firstFeasible(model, noisy, state.targets, state.taken);
  if (host < 0) {
    state.blocked.add(rejected[0]?.because ?? 'no-other-host', instanceLabel(took));
    return null;
  }
  state.taken.add(host);
  const [from, to] = [hostAt(snapshot, source), hostAt(snapshot, host)];
  const changeOf = (row: number) =>
    `from ${shortNumber(use.previous[row] as number)} to ${shortNumber(use.current[row] as number)} B`;
  return migrateAction(took, migrationTypeOf(snapshot, noisy), from, to, {
    rule: 'noisy-neighbor',
    summary:
      `On ${from.hostname} the L3 cache of ${instanceLabel(lost)} (priority ${priorityOf(model, victim)}) fell ` +
      `${changeOf(victim)} while that of ${instanceLabel(took)} (priority ${priorityOf(model, noisy)}) rose ` +
      `${changeOf(noisy)}; ${instanceLabel(took)} goes to ${to.hostname}.`,
    values: [
      cacheChange(model, use, victim),
      cacheChange(model, use, noisy),
      ...moveWithAllocations(model, noisy, host),
    ],
    rejected,
  });
}

/** Moves noisy instances away from important ones. Throws MetricsMissingError when no instance has a value. */
export const noisyNeighborStrategy: StrategyPlugin<NoisyNeighborParameters> = {
  manifest: noisyNeighborManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const use = await readCacheUse(context);
    const { found, targets } = sortHosts(model, use, parameters.cache_threshold, blocked);
    const state = { targets, taken: new Set<number>(), blocked };
    const actions = found.flatMap((pair) => separate(model, use, pair, state) ?? []);
    const measured = use.current.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
    const nobody = 'no important instance loses cache to one of lower priority that may be moved';
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: found.length + targets.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: measured },
        blocked: blocked.counts(),
        emptyBecause:
          actions.length > 0 ? null : found.length === 0 ? nobody : 'no other host takes any of the noisy instances',
        notes: [
          `${found.length} hosts have a noisy neighbor`,
          'noisy_neighbor is deprecated in Watcher since 2025.2 and may go in a later version',
        ],
      },
    };
  },
};
