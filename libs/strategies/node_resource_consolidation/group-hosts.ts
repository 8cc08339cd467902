import type { WhatIf } from '#libs/cluster-model';
import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { createOrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { createAllocationTarget, targetOf } from '../shared/hosts/target-utilization.ts';
import { emptyHosts, reportObstacles } from '../shared/moves/empty-hosts.ts';
import type { EmptyingTask } from '../shared/moves/emptying-run.ts';
import { createMovePrices } from '../shared/moves/move-cost.ts';
import type { MeasuredUse } from '../shared/relief/measured-use.ts';
import type { PlannedRelief } from '../shared/relief/plan-relief.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { NodeResourceConsolidationParameters } from './parameters.ts';

/** An instance that leaves a source, and the destination with room for it. */
export interface Placement {
  instance: number;
  to: number;
}

/** A host that can be emptied, with its instances in the order of their moves. */
export interface Source {
  host: number;
  placements: Placement[];
}

/** The hosts by their role in the plan. */
export interface Groups {
  /** Up hosts without allocations. */
  free: number[];
  /** Sources, in the order in which they are emptied. */
  sources: Source[];
  /** Hosts that receive instances, or that must stay, in the order of their discovery. */
  destinations: number[];
  /** Sources that are kept by the parameter `reserve_hosts`. */
  kept: number;
  notes: string[];
}

interface GroupingTask {
  parameters: Omit<NodeResourceConsolidationParameters, 'host_choice'>;
  /** Undefined without measurements: only allocations are used. */
  use: MeasuredUse | undefined;
  /** Relief in the same plan. Default: none. */
  relief?: PlannedRelief | null;
  /** Uuids of instances that audits of the goal have moved before. */
  departed: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Hosts with a failed migration receive no instances. */
const failedBefore = 'migration-failed';

/**
 * Hosts with instances. Those with the fewest allocated vcpus, or instances, are emptied first, into the hosts with
 * the least room.
 */
function taskOf(
  model: WhatIf,
  rising: readonly number[],
  { parameters, use, relief, departed, signal }: GroupingTask,
): EmptyingTask {
  const { vcpus } = model.snapshot.instances;
  const hasFailed = (instance: number) => model.immovable(instance) === failedBefore;
  const occupied = rising.filter((host) => model.instancesOn(host).length > 0);
  const failed = new Set(occupied.filter((host) => model.instancesOn(host).some(hasFailed)));
  const takers = occupied.filter(
    (host) => model.enabled[host] === 1 && !failed.has(host) && relief?.relieved.has(host) !== true,
  );
  const mayTake = new Set(takers);
  const target = createAllocationTarget(model, targetOf(parameters.target_utilization));
  const freeCpus = (host: number) => target.room(host).vcpus;
  const room = createOrderedHosts(takers, freeCpus);
  const count = (host: number) => model.instancesOn(host).length;
  const sources = occupied.filter((host) => relief?.hosts.has(host) !== true);
  const byCount = [...sources].sort((a, b) => count(a) - count(b));
  const byWatcher = parameters.host_order === 'watcher';

  function* candidates(instance: number): Generator<number> {
    for (let place = room.firstAtLeast(model.needs(instance).vcpus); place < room.size; place++) {
      const host = room.at(place);
      if (target.admits(instance, host) && (use?.fits(instance, host) ?? true)) yield host;
    }
  }

  return {
    model,
    accepting: rising.filter((host) => model.enabled[host] === 1),
    orders: byWatcher ? [sources] : [sources, byCount],
    searchesSmall: !byWatcher,
    instancesOf: (host) =>
      [...model.instancesOn(host)].sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b),
    candidates,
    moved(instance, from, to) {
      use?.moved(instance, from, to);
      for (const host of [from, to]) room.update(host, freeCpus(host));
    },
    setOpen(host, open) {
      room.remove(host);
      if (open && mayTake.has(host)) room.add(host, freeCpus(host));
    },
    immovable: model.immovable,
    barred: (host) => (failed.has(host) ? failedBefore : null),
    minutesOf: createMovePrices(
      model,
      (instance) => (use === undefined ? 0 : (use.instanceCpu(instance) / vcpus[instance]!) * 100),
      departed,
    ),
    emptiesTakers: false,
    attempts: 0,
    reserve: parameters.reserve_hosts ?? 0,
    failureReserve: parameters.failure_reserve ?? 1,
    budget: parameters.migration_budget,
    spent: relief?.moves.length ?? 0,
    signal,
  };
}

/**
 * Divides the given hosts. Sources are emptied completely. A host that has received an instance stays. A host whose
 * instance failed to migrate in an earlier plan stays and receives nothing. The model is unchanged afterwards.
 */
export function groupHosts(
  model: WhatIf,
  hosts: readonly number[],
  { blocked, ...rest }: GroupingTask & { blocked: BlockedTally },
): Groups {
  const used = new Map(hosts.map((host) => [host, model.used(host).vcpus]));
  const rising = [...hosts].sort((a, b) => (used.get(a) as number) - (used.get(b) as number) || a - b);
  const free = rising.filter((host) => model.instancesOn(host).length === 0 && !holdsForeignAllocation(model, host));
  const task = taskOf(model, rising, rest);
  const plan = emptyHosts(task);
  const notes = reportObstacles(task, plan, blocked);
  const sources = new Map(plan.freed.map((host): [number, Source] => [host, { host, placements: [] }]));
  for (const { instance, from, to } of plan.moves) sources.get(from)?.placements.push({ instance, to });
  return { free, sources: [...sources.values()], destinations: plan.destinations, kept: plan.kept, notes };
}
