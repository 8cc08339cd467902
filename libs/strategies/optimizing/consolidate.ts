import { createWhatIf, totalCpus, type WhatIf } from '#libs/cluster-model';
import { emptyingBound, hostsInUseBound } from '#libs/optimizer';
import type { ProposedAction, StrategyContext } from '#libs/plugin-kit';
import { disableFreedAction, migrateAction, migrationTypeOf } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { createBlockedTally } from '../blocked-tally.ts';
import { counted } from '../counted.ts';
import { emptyHosts, reportObstacles } from '../empty-hosts.ts';
import type { Emptied, EmptyingTask, Step } from '../emptying-run.ts';
import { acceptingHosts } from '../host-rows.ts';
import { createOrderedHosts } from '../ordered-hosts.ts';
import { createRejections } from '../rejections.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { createAllocationTarget, targetOf } from '../target-utilization.ts';
import { type Loads, readLoads } from './loads.ts';
import type { Optimized } from './optimize.ts';
import { budgetOf, type ConsolidationParameters } from './parameters.ts';

type Context = StrategyContext<ConsolidationParameters>;

const disabledReason = 'Vigil: emptied by consolidation';
/** So many orders in vain end the search. */
const patience = 60;
/** Units of work of a host that is looked at for an instance: rules, load and room. */
const candidateWork = 4;
/** How far chance changes the place of a host in an order. */
const largestFactor = 2;
/** Fuller hosts that an explanation looks at. */
const explainedHosts = 16;

/** One attempt at emptying hosts in an order; the fullest host that takes an instance takes it. */
function attempt({ model, parameters, signal, work }: Context, { cpu }: Loads, order: readonly number[]): EmptyingTask {
  const occupied = acceptingHosts(model).filter((host) => model.instancesOn(host).length > 0);
  const sizes = totalCpus(model.snapshot);
  const load = new Float64Array(sizes.length);
  model.hostOf.forEach((host, row) => {
    if (host >= 0) load[host]! += cpu[row]!;
  });
  const isCool = (host: number, instance: number) =>
    load[host]! + cpu[instance]! <= ((sizes[host] as number) * parameters.hot_limit) / 100;
  const freeCpus = (host: number) => model.free(host).vcpus;
  const room = createOrderedHosts(occupied, freeCpus);
  const mayTake = new Set(occupied);
  const target = createAllocationTarget(model, targetOf(parameters.target_utilization));
  const { vcpus } = model.snapshot.instances;

  function* candidates(instance: number): Generator<number> {
    for (let place = room.firstAtLeast(model.needs(instance).vcpus); place < room.size; place++) {
      work.spend(candidateWork);
      const host = room.at(place);
      if (target.admits(instance, host) && isCool(host, instance)) yield host;
    }
  }

  return {
    model,
    accepting: acceptingHosts(model),
    orders: [order],
    searchesSmall: false,
    instancesOf: (host) =>
      [...model.instancesOn(host)].sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b),
    candidates,
    moved(instance, from, to) {
      load[from]! -= cpu[instance]!;
      load[to]! += cpu[instance]!;
      for (const host of [from, to]) room.update(host, freeCpus(host));
    },
    setOpen(host, open) {
      room.remove(host);
      if (open && mayTake.has(host)) room.add(host, freeCpus(host));
    },
    immovable: model.immovable,
    emptiesTakers: false,
    attempts: 0,
    reserve: 0,
    failureReserve: parameters.reserve_hosts,
    budget: budgetOf(parameters),
    signal,
  };
}

function movedMib({ snapshot }: WhatIf, moves: readonly Step[]): number {
  return moves.reduce((sum, { instance }) => sum + (snapshot.instances.memory[instance] as number), 0);
}

/** More hosts, then less memory to move, then fewer moves. */
function isBetter(model: WhatIf, one: Emptied, other: Emptied): boolean {
  if (one.freed.length !== other.freed.length) return one.freed.length > other.freed.length;
  const memory = movedMib(model, one.moves) - movedMib(model, other.moves);
  return memory !== 0 ? memory < 0 : one.moves.length < other.moves.length;
}

interface Plan {
  task: EmptyingTask;
  emptied: Emptied;
}

/** Tries orders: by memory, by vcpus and by number of instances, then the best one changed by chance, until nothing better turns up. */
function searchOrders(context: Context, loads: Loads, bound: number): Plan | null {
  const { model, random, work } = context;
  const occupied = acceptingHosts(model).filter((host) => model.instancesOn(host).length > 0);
  const used = (host: number) => model.used(host);
  const keys = [
    (host: number) => used(host).memory,
    (host: number) => used(host).vcpus,
    (host: number) => model.instancesOn(host).length,
  ];
  let best: (Plan & { rank: Map<number, number> }) | null = null;
  let vain = 0;
  for (let round = 0; vain < patience && occupied.length > 1; round += 1) {
    const key = keys[round] ?? ((host: number) => (best?.rank.get(host) ?? 0) * (1 + random() * (largestFactor - 1)));
    const values = new Map(occupied.map((host) => [host, key(host)]));
    const order = [...occupied].sort((a, b) => (values.get(a) as number) - (values.get(b) as number) || a - b);
    const task = attempt(context, loads, order);
    const emptied = emptyHosts(task);
    vain += 1;
    if (best === null || isBetter(model, emptied, best.emptied)) {
      best = { task, emptied, rank: new Map(order.map((host, place) => [host, place + 1])) };
      vain = 0;
      work.report({ value: occupied.length - emptied.freed.length, moves: emptied.moves.length });
    }
    if (!work.spend(occupied.length) || occupied.length - best.emptied.freed.length <= bound) break;
  }
  return best;
}

function explain(model: WhatIf, { instance, to }: Step, hosts: readonly number[]): ProposedAction {
  const { snapshot } = model;
  const from = model.hostOf[instance] as number;
  const rejections = createRejections();
  const fuller = hosts.filter((host) => host !== to && host !== from && model.free(host).vcpus < model.free(to).vcpus);
  for (const host of fuller.slice(0, explainedHosts))
    rejections.add(model.refusal(instance, host) ?? 'target-utilization', hostAt(snapshot, host).hostname);
  const values = moveWithAllocations(model, instance, to);
  const [source, target] = [hostAt(snapshot, from), hostAt(snapshot, to)];
  const info = instanceAt(snapshot, instance);
  const left = counted(model.instancesOn(from).length, 'instance');
  return migrateAction(info, migrationTypeOf(snapshot, instance), source, target, {
    rule: 'empty-host',
    summary:
      `Moving ${instanceLabel(info)} to ${target.hostname} helps to empty ${source.hostname}, which keeps ${left}; ` +
      `${target.hostname} then has ${shortNumber(model.used(to).vcpus)} of ${shortNumber(model.capacity(to).vcpus)} vcpus allocated.`,
    values,
    rejected: rejections.list(),
  });
}

function disable(model: WhatIf, host: number, activeBefore: number): ProposedAction {
  const info = hostAt(model.snapshot, host);
  return disableFreedAction(info, disabledReason, {
    rule: 'disable-empty-host',
    summary: `${info.hostname} is empty after the plan; without it ${activeBefore - 1} of ${activeBefore} hosts stay in use.`,
    values: [{ quantity: 'enabled', subject: info.hostname, unit: '', before: 1, after: 0 }],
    rejected: [],
  });
}

/**
 * Hosts in use that no plan can do without: those that hold what is allocated, those with instances that stay, and those that the budget of
 * migrations does not reach.
 */
function leastHosts({ model, parameters }: Context, accepting: readonly number[], inUse: readonly number[]): number {
  const target = targetOf(parameters.target_utilization);
  const demands = (['vcpus', 'memory', 'disk'] as const).map((resource) => ({
    demand: inUse.reduce((sum, host) => sum + model.used(host)[resource], 0),
    // A host that is above the target may stay there.
    capacities: accepting.map((host) =>
      Math.max(model.used(host)[resource], (model.capacity(host)[resource] * target[resource]) / 100),
    ),
  }));
  const held = inUse.filter((host) => model.instancesOn(host).some((row) => model.immovable(row) !== null)).length;
  const budget = budgetOf(parameters);
  const counts = inUse.map((host) => model.instancesOn(host).length);
  let reach = inUse.length;
  while (budget > 0 && reach > 0 && emptyingBound(counts, reach) > budget) reach -= 1;
  return Math.min(inUse.length, Math.max(hostsInUseBound(demands), held, inUse.length - reach));
}

/** A plan of consolidation, and what its goal counts. */
export interface Consolidated extends Omit<Optimized, 'after' | 'cpu'> {
  considered: number;
  freed: number;
  migrations: number;
}

function whyEmpty(settled: boolean, bound: number): string {
  if (settled) return `nothing can be gained: no plan needs fewer than ${counted(bound, 'host')}`;
  return 'no host can be emptied into the others within the limits that are asked for';
}

/** Searches for the plan that empties most hosts by moving the least memory. The model of the context is left as it was. */
export async function consolidate(context: Context): Promise<Consolidated> {
  const { model, parameters, metrics } = context;
  const blocked = createBlockedTally();
  const window = { periodSeconds: parameters.period, aggregate: parameters.aggregation_method };
  const loads = await readLoads(model, metrics, window, blocked);
  const accepting = acceptingHosts(model);
  const occupied = accepting.filter((host) => model.instancesOn(host).length > 0);
  const inUse = occupied.length;
  const bound = leastHosts(context, accepting, occupied);
  const settled = bound >= inUse;
  const plan = settled ? null : searchOrders(context, loads, bound);
  const notes = plan === null ? [] : reportObstacles(plan.task, plan.emptied, blocked);
  const { freed, moves } = plan?.emptied ?? { freed: [], moves: [] };
  const view = createWhatIf(model.snapshot);
  const actions = [
    ...moves.map((move) => explain(view, move, accepting)),
    ...freed.map((host, index) => disable(view, host, inUse - index)),
  ];
  const movedGib = movedMib(model, moves) / 1024;
  const after = inUse - freed.length;
  return {
    actions,
    considered: accepting.length,
    freed: freed.length,
    migrations: moves.length,
    movedGib,
    rank: [-freed.length, movedGib],
    endedBy: settled || (freed.length > 0 && after <= bound) ? 'bound' : 'converged',
    points: settled ? { before: 0, after: 0 } : { before: 100, after: (100 * (after - bound)) / (inUse - bound) },
    report: {
      hosts: { considered: model.snapshot.hostInfo.length, eligible: accepting.length },
      instances: {
        considered: model.snapshot.instanceInfo.length,
        eligible: model.snapshot.instanceInfo.filter((_, row) => model.immovable(row) === null).length,
      },
      blocked: blocked.counts(),
      emptyBecause: actions.length > 0 ? null : whyEmpty(settled, bound),
      objective: [
        { level: 2, term: 'hosts_in_use', unit: 'hosts', before: inUse, after, bound },
        { level: 3, term: 'moved_memory', unit: 'GiB', before: 0, after: movedGib, bound: 0 },
      ],
      gap: settled ? 0 : (after - bound) / (inUse - bound),
      notes: [
        ...(freed.length > 0
          ? [
              `${counted(freed.length, 'host')} emptied by ${counted(moves.length, 'migration')} of ${shortNumber(movedGib)} GiB`,
            ]
          : []),
        ...loads.notes,
        ...notes,
      ],
    },
  };
}
