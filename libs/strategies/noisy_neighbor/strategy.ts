import type { WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type {
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyResult,
} from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { firstFeasible } from '../shared/moves/first-feasible.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { findByCache } from './by-cache.ts';
import { findByContention } from './by-contention.ts';
import type { Disturbance, Findings } from './disturbance.ts';
import { priorityOf } from './find-pair.ts';
import { type NoisyNeighborParameters, noisyNeighborParameters } from './parameters.ts';

/** Manifest of `noisy_neighbor`. */
const noisyNeighborManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'noisy_neighbor',
  displayName: 'Noisy Neighbor',
  goal: 'noisy_neighbor',
  description:
    'Separates instances that disturb each other. When an instance of high priority waits for CPUs (steal, ready ' +
    'time or pressure) that an instance of lower priority on the same host uses, the latter moves to another ' +
    'host. Without such a measurement, a loss of L3 cache counts. The metadata watcher-priority is the priority: ' +
    'lower numbers matter more. Deprecated, as in Watcher.',
  parameters: noisyNeighborParameters,
  metrics: ['instance_l3_cache_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};

type Context = StrategyContext<NoisyNeighborParameters>;

function separate(
  model: WhatIf,
  { host: source, noisy, why, values }: Disturbance,
  { targets, crowds }: Findings,
  state: { taken: Set<number>; blocked: BlockedTally },
): ProposedAction | null {
  const { snapshot } = model;
  const took = instanceAt(snapshot, noisy);
  const calm = targets.filter((host) => !crowds(noisy, host));
  const { host, rejected } = firstFeasible(model, noisy, calm, state.taken);
  if (host < 0) {
    state.blocked.add(rejected[0]?.because ?? 'no-other-host', instanceLabel(took));
    return null;
  }
  state.taken.add(host);
  const [from, to] = [hostAt(snapshot, source), hostAt(snapshot, host)];
  return migrateAction(took, migrationTypeOf(snapshot, noisy), from, to, {
    rule: 'noisy-neighbor',
    summary: `${why}; ${instanceLabel(took)} goes to ${to.hostname}.`,
    values: [...values, ...moveWithAllocations(model, noisy, host)],
    rejected,
  });
}

/** Uses CPU contention when a data source has it, else the cache, unless the parameters choose one. */
async function find(context: Context, blocked: BlockedTally): Promise<Findings> {
  const { model, parameters } = context;
  const heldBack = (instance: number) =>
    blocked.add(model.immovable(instance) ?? 'instance-state', instanceLabel(instanceAt(model.snapshot, instance)));
  if (parameters.signal === 'cache') return findByCache(context, heldBack);
  const findings = await findByContention(context, heldBack, blocked);
  if (findings) return findings;
  if (parameters.signal === 'auto') return findByCache(context, heldBack);
  throw new MetricsMissingError('noisy_neighbor', ['instance_cpu_steal', 'host_cpu_pressure'], parameters.period);
}

/** Moves noisy instances off the hosts of important ones. Throws MetricsMissingError without a usable measurement. */
export const noisyNeighborStrategy: StrategyPlugin<NoisyNeighborParameters> = {
  manifest: noisyNeighborManifest,
  async run(context): Promise<StrategyResult> {
    const { model } = context;
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const findings = await find(context, blocked);
    const { found, targets, nobody } = findings;
    const byPriority = found.toSorted(
      (a, b) => priorityOf(model, a.victim) - priorityOf(model, b.victim) || a.host - b.host,
    );
    const state = { taken: new Set<number>(), blocked };
    const actions = byPriority.flatMap((disturbance) => separate(model, disturbance, findings, state) ?? []);
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: found.length + targets.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: findings.measured },
        blocked: blocked.counts(),
        emptyBecause:
          actions.length > 0 ? null : found.length === 0 ? nobody : 'no other host takes any of the noisy instances',
        notes: [
          `${counted(found.length, 'host', ['has', 'have'])} a noisy neighbor`,
          ...findings.notes,
          'noisy_neighbor is deprecated in Watcher since 2025.2 and may go in a later version',
        ],
      },
    };
  },
};
