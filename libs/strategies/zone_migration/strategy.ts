import { createStorageWhatIf, createWhatIf, instanceFlag, type StorageWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { instanceAt, instanceLabel, volumeAt, volumeLabel } from '../shared/hosts/rows.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { ModelMissingError } from '../shared/report/errors.ts';
import { createBudget } from './budget.ts';
import { moveInstance } from './move-instance.ts';
import { moveVolume } from './move-volume.ts';
import { type NodePair, type PoolPair, type ZoneMigrationParameters, zoneMigrationParameters } from './parameters.ts';
import type { ZonePlan } from './plan-zone.ts';
import { failedLast, rankInstances, rankVolumes } from './priority.ts';
import { createRoomAtStart } from './room-at-start.ts';

/** Manifest of `zone_migration`. */
const zoneMigrationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'zone_migration',
  displayName: 'Zone migration',
  goal: 'hardware_maintenance',
  description:
    'Moves instances off compute nodes and volumes off storage pools, by priority. Each run plans the next ' +
    'moves, within the limits per plan, compute node and storage pool.',
  parameters: zoneMigrationParameters,
  metrics: [],
  models: ['compute', 'storage'],
  planner: 'weight',
  needsCompleteModel: false,
  byOrder: true,
};

/** Work to do, in the order of priority. */
interface Candidates {
  instances: number[];
  volumes: number[];
}

function countByWay(model: WhatIf, instances: readonly number[]): { live: number; cold: number } {
  const count = { live: 0, cold: 0 };
  for (const row of instances) {
    const way = model.usualWay(row);
    if (way !== null) count[way]++;
  }
  return count;
}

/** Instances move right after their volumes. A note reports those that are no candidates and stay. */
function moveAttached(
  plan: ZonePlan,
  storage: StorageWhatIf,
  volume: number,
  going: ReadonlySet<number>,
  notes: string[],
) {
  const info = volumeAt(storage.snapshot, volume);
  for (const uuid of info.serverUuids) {
    const row = plan.model.instanceRow(uuid);
    if (row !== undefined && going.has(row)) moveInstance(plan, row);
    else notes.push(`server ${uuid} of volume ${volumeLabel(info)} is on none of the source nodes and stays`);
  }
}

function fill(plan: ZonePlan, candidates: Candidates, notes: string[], signal: AbortSignal): void {
  const going = new Set(candidates.instances);
  const { storage, parameters } = plan;
  if (storage !== undefined) {
    for (const volume of candidates.volumes) {
      signal.throwIfAborted();
      const moved = moveVolume(plan, storage, volume);
      if (moved && parameters.with_attached_volume) moveAttached(plan, storage, volume, going, notes);
    }
  }
  for (const instance of candidates.instances) {
    signal.throwIfAborted();
    moveInstance(plan, instance);
  }
}

function whyEmpty({ instances, volumes }: Candidates, { budget }: ZonePlan): string {
  if (instances.length + volumes.length === 0)
    return 'nothing is left to move: no instance on the source nodes and no volume in the source pools';
  if (budget.isSpent()) return 'parallel_total allows no migration';
  return `none of ${counted(instances.length, 'instance')} and ${counted(volumes.length, 'volume')} can leave`;
}

function storageFor(
  parameters: ZoneMigrationParameters,
  storage: StorageWhatIf | undefined,
): StorageWhatIf | undefined {
  if ((parameters.storage_pools ?? []).length === 0) return undefined;
  if (storage === undefined) throw new ModelMissingError('zone_migration', 'storage');
  return storage;
}

function indicatorsOf({ model, planned }: ZonePlan, { instances, volumes }: Candidates): Record<string, number> {
  const { live, cold } = countByWay(model, instances);
  return {
    live_migrate_instance_count: live,
    planned_live_migrate_instance_count: planned.live,
    cold_migrate_instance_count: cold,
    planned_cold_migrate_instance_count: planned.cold,
    volume_migrate_count: volumes.length,
    planned_volume_migrate_count: planned.volumes,
    volume_update_count: volumes.length,
    planned_volume_update_count: planned.volumes,
  };
}

/**
 * Moves instances and volumes out of a zone. Throws ModelMissingError when volumes must move without a storage model.
 */
export const zoneMigrationStrategy: StrategyPlugin<ZoneMigrationParameters> = {
  manifest: zoneMigrationManifest,
  modelsFor: ({ storage_pools: pools }) => ((pools ?? []).length > 0 ? ['compute', 'storage'] : ['compute']),
  async run({ model, storage: given, parameters, failedMigrations, signal }): Promise<StrategyResult> {
    const blocked = createBlockedTally();
    const notes: string[] = [];
    const storage = storageFor(parameters, given);
    const { compute_nodes: nodes = [], storage_pools: pools = [], priority = {} } = parameters;
    const sources = new Set(nodes.flatMap(({ src_node }) => model.hostRow(src_node) ?? []));
    for (const name of new Set(nodes.map(({ dst_node: to = '' }) => to))) {
      if (sources.has(model.hostRow(name) ?? -1))
        notes.push(`${name} is a source and a destination: arrivals there leave with the next run`);
    }
    const failed = new Set(failedMigrations);
    const instances = rankInstances(model, instanceCandidates(model, nodes, blocked, notes), priority);
    const volumes =
      storage === undefined ? [] : rankVolumes(storage, volumeCandidates(storage, pools, notes), priority);
    const candidates: Candidates = {
      instances: failedLast(instances, failed, (row) => instanceAt(model.snapshot, row).uuid),
      volumes: failedLast(volumes, failed, (row) => storage?.snapshot.volumes[row]?.uuid ?? ''),
    };
    const plan: ZonePlan = {
      model,
      storage,
      parameters,
      sources,
      budget: createBudget(parameters),
      blocked,
      actions: [],
      handled: new Set(),
      atStart: {
        hosts: createRoomAtStart(() => {
          const { move, refusal } = createWhatIf(model.snapshot);
          return { move, refusal: (instance, host) => refusal(instance, host) };
        }),
        pools: storage === undefined ? null : createRoomAtStart(() => createStorageWhatIf(storage.snapshot)),
      },
      waiting: 0,
      planned: { live: 0, cold: 0, volumes: 0 },
    };
    fill(plan, candidates, notes, signal);
    const { actions, budget } = plan;
    if (budget.postponed > 0)
      notes.push(
        `${counted(budget.postponed, 'move', ['waits', 'wait'])} for the next run: parallel_total, _per_node and _per_pool limit a plan`,
      );
    if (plan.waiting > 0)
      notes.push(
        `${counted(plan.waiting, 'move', ['waits', 'wait'])} for the next run: other moves of this plan must first free the room`,
      );
    return {
      actions,
      indicators: indicatorsOf(plan, candidates),
      report: {
        hosts: { considered: model.snapshot.hostInfo.length, eligible: sources.size },
        instances: { considered: candidates.instances.length, eligible: plan.planned.live + plan.planned.cold },
        ...(storage === undefined
          ? {}
          : {
              pools: { considered: storage.snapshot.pools.length, eligible: pools.length },
              volumes: { considered: candidates.volumes.length, eligible: plan.planned.volumes },
            }),
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(candidates, plan),
        notes: [
          ...notes,
          `${counted(candidates.volumes.length, 'volume', ['is', 'are'])} in the source pools, ${plan.planned.volumes} of them planned`,
        ],
      },
    };
  },
};

/** Rows of the instances on the source nodes, node by node. Instances that the audit excludes count as blocked. */
function instanceCandidates(
  model: WhatIf,
  pairs: readonly NodePair[],
  blocked: BlockedTally,
  notes: string[],
): number[] {
  const found: number[] = [];
  for (const name of new Set(pairs.map(({ src_node }) => src_node))) {
    const host = model.hostRow(name);
    if (host === undefined) notes.push(`there is no compute node ${name} in the scope of the audit`);
    else found.push(...[...model.instancesOn(host)].sort((a, b) => a - b));
  }
  return found.filter((row) => {
    const excluded = ((model.snapshot.instances.flags[row] as number) & instanceFlag.excluded) !== 0;
    if (excluded) blocked.add('instance-excluded', instanceLabel(instanceAt(model.snapshot, row)));
    return !excluded;
  });
}

/** Distinct rows of the volumes in the source pools, of the source type when one is named. */
function volumeCandidates(storage: StorageWhatIf, pairs: readonly PoolPair[], notes: string[]): number[] {
  const typesOf = new Map<string, Set<string | null>>();
  for (const { src_pool: pool = '', src_type: type = null } of pairs) {
    if (storage.poolRow(pool) === undefined) notes.push(`there is no storage pool ${pool} in the scope of the audit`);
    typesOf.set(pool, (typesOf.get(pool) ?? new Set()).add(type));
  }
  return storage.snapshot.volumes.flatMap((_, row) => {
    const { host, type } = volumeAt(storage.snapshot, row);
    const types = typesOf.get(host);
    return types !== undefined && (types.has(null) || (type !== null && types.has(type))) ? row : [];
  });
}
