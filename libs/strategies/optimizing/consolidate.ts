import { createWhatIf, totalCpus, type WhatIf } from '#libs/cluster-model';
import type { WantedMove } from '#libs/domain';
import { emptyingBound, hostsInUseBound } from '#libs/optimizer';
import type { ProposedAction, StrategyContext, StrategyVariant } from '#libs/plugin-kit';
import { disableFreedAction, migrateAction, migrationTypeOf } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { createBlockedTally, createRejections } from '../blocked-tally.ts';
import { emptyHosts, reportObstacles } from '../empty-hosts.ts';
import type { Emptied, EmptyingTask, Step } from '../emptying-run.ts';
import { createOrderedHosts } from '../ordered-hosts.ts';
import { acceptingHosts, counted, hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { createAllocationTarget, targetOf } from '../target-utilization.ts';
import { type Loads, readLoads } from './loads.ts';
import { moveSeconds } from './move-seconds.ts';
import type { Optimized } from './optimize.ts';
import { budgetOf, type ConsolidationParameters } from './parameters.ts';
import { choosePlan, curveBudgets } from './sizes.ts';

type Context = StrategyContext<ConsolidationParameters>;

const disabledReason = 'Vigil: emptied by consolidation';
/** So many orders in vain end the search: for the largest plan, and for the others. */
const patience = 60;
const smallPatience = 8;
/** Part of the work that the largest plan may use when there are others. */
const workOfLargest = 0.7;
/** Units of work of a host that is looked at for an instance: rules, load and room. */
const candidateWork = 4;
/** How far chance changes the place of a host in an order. */
const largestFactor = 2;
/** Fuller hosts that an explanation looks at. */
const explainedHosts = 16;

/** How hosts are to be emptied. */
interface Attempt {
  order: readonly number[];
  /** Migrations at most; 0: any number. */
  budget: number;
  /** Hosts that instances are to go to, by row of the instance; others stay. Default: wherever there is room. */
  wanted?: ReadonlyMap<number, number>;
}

/** One attempt at emptying hosts in an order; the fullest host that takes an instance takes it. */
function attempt(
  { model, parameters, signal, work }: Context,
  { cpu }: Loads,
  { order, budget, wanted }: Attempt,
): EmptyingTask {
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
      if (wanted !== undefined && wanted.get(instance) !== host) continue;
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
    budget,
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
  budget: number;
  task: EmptyingTask;
  emptied: Emptied;
}

type RankedPlan = Plan & { rank: Map<number, number> };

/** Hosts that accept instances and have some. */
function occupiedHosts(model: WhatIf): number[] {
  return acceptingHosts(model).filter((host) => model.instancesOn(host).length > 0);
}

interface OrderSearch {
  budget: number;
  /** Orders in vain that end it. */
  mostVain: number;
  /** Hosts in use that no plan of the budget can do without. */
  bound: number;
  /** Units of work after which it ends. */
  mayUse: number;
  /** Plan of a larger budget, whose order is tried too. */
  larger?: RankedPlan;
  /** Points of a cloud with so many hosts in use. */
  pointsOf(hosts: number): number;
}

/** Tries orders: by memory, by vcpus and by number of instances, then the best one changed by chance, until nothing better turns up. */
function searchOrders(context: Context, loads: Loads, options: OrderSearch): RankedPlan | null {
  const { model, random, work } = context;
  const { budget, mostVain, bound, mayUse, larger, pointsOf } = options;
  const occupied = occupiedHosts(model);
  const used = (host: number) => model.used(host);
  const keys = [
    (host: number) => used(host).memory,
    (host: number) => used(host).vcpus,
    (host: number) => model.instancesOn(host).length,
    ...(larger ? [(host: number) => larger.rank.get(host) ?? 0] : []),
  ];
  let best: RankedPlan | null = null;
  let vain = 0;
  for (let round = 0; vain < mostVain && occupied.length > 1; round += 1) {
    const key = keys[round] ?? ((host: number) => (best?.rank.get(host) ?? 0) * (1 + random() * (largestFactor - 1)));
    const values = new Map(occupied.map((host) => [host, key(host)]));
    const order = [...occupied].sort((a, b) => (values.get(a) as number) - (values.get(b) as number) || a - b);
    const task = attempt(context, loads, { order, budget });
    const emptied = emptyHosts(task);
    vain += 1;
    if (best === null || isBetter(model, emptied, best.emptied)) {
      best = { budget, task, emptied, rank: new Map(order.map((host, place) => [host, place + 1])) };
      vain = 0;
      const value = pointsOf(occupied.length - emptied.freed.length);
      if (!larger) work.report({ value, bound: pointsOf(bound), moves: emptied.moves.length });
    }
    if (!work.spend(occupied.length) || work.spent > mayUse) break;
    if (occupied.length - best.emptied.freed.length <= bound) break;
  }
  return best;
}

/** Plans of all sizes, ascending: the largest is searched for first. A smaller one that frees no fewer hosts takes its place. */
function searchSizes(
  context: Context,
  loads: Loads,
  { boundOf, pointsOf }: { boundOf(budget: number): number; pointsOf(hosts: number): number },
): Plan[] {
  const { parameters, work } = context;
  const [largest = 0, ...smaller] = curveBudgets(budgetOf(parameters)).reverse();
  const mayUse = smaller.length > 0 ? work.total * workOfLargest : work.total;
  const options = { budget: largest, mostVain: patience, bound: boundOf(largest), mayUse, pointsOf };
  const first = searchOrders(context, loads, options);
  const plans: RankedPlan[] = first === null ? [] : [first];
  for (const budget of smaller) {
    const larger = plans[0];
    if (larger === undefined || larger.emptied.freed.length === 0 || !work.spend(0)) break;
    const small = { budget, mostVain: smallPatience, bound: boundOf(budget), mayUse: work.total, larger, pointsOf };
    const plan = searchOrders(context, loads, small);
    if (plan === null || plan.emptied.freed.length === 0) break;
    if (plan.emptied.freed.length < larger.emptied.freed.length) plans.unshift(plan);
  }
  return plans;
}

/** The plan that makes the wanted migrations, as far as they still empty a host. */
function planWanted(context: Context, loads: Loads, wanted: readonly WantedMove[]): Plan[] {
  const { model } = context;
  const targets = new Map<number, number>();
  for (const { instance, host } of wanted) {
    const [row, to] = [model.instanceRow(instance), model.hostRow(host)];
    if (row !== undefined && to !== undefined) targets.set(row, to);
  }
  const occupied = new Set(occupiedHosts(model));
  const sources = [...targets.keys()].map((row) => model.hostOf[row] as number);
  const order = [...new Set(sources)].filter((host) => occupied.has(host));
  const task = attempt(context, loads, { order, budget: 0, wanted: targets });
  return [{ budget: wanted.length, task, emptied: emptyHosts(task) }];
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
function leastHosts({ model, parameters }: Context, budget: number): number {
  const accepting = acceptingHosts(model);
  const inUse = occupiedHosts(model);
  const target = targetOf(parameters.target_utilization);
  const demands = (['vcpus', 'memory', 'disk'] as const).map((resource) => ({
    demand: inUse.reduce((sum, host) => sum + model.used(host)[resource], 0),
    // A host that is above the target may stay there.
    capacities: accepting.map((host) =>
      Math.max(model.used(host)[resource], (model.capacity(host)[resource] * target[resource]) / 100),
    ),
  }));
  const held = inUse.filter((host) => model.instancesOn(host).some((row) => model.immovable(row) !== null)).length;
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

/** The plan as actions, explained. */
function actionsOf(model: WhatIf, { freed, moves }: Pick<Emptied, 'freed' | 'moves'>): ProposedAction[] {
  const view = createWhatIf(model.snapshot);
  const inUse = occupiedHosts(model).length;
  return [
    ...moves.map((move) => explain(view, move, acceptingHosts(model))),
    ...freed.map((host, index) => disable(view, host, inUse - index)),
  ];
}

/** Searches for the plan that empties most hosts by moving the least memory. The model of the context is left as it was. */
export async function consolidate(context: Context): Promise<Consolidated> {
  const { model, parameters, metrics, replan } = context;
  const blocked = createBlockedTally();
  const window = { periodSeconds: parameters.period, aggregate: parameters.aggregation_method };
  const loads = await readLoads(model, metrics, window, blocked);
  const accepting = acceptingHosts(model);
  const inUse = occupiedHosts(model).length;
  const boundOf = (budget: number) => leastHosts(context, budget);
  const least = boundOf(0);
  const pointsOf = (hosts: number) => (inUse > least ? (100 * (hosts - least)) / (inUse - least) : 0);
  const settled = boundOf(budgetOf(parameters)) >= inUse;
  const found = settled
    ? []
    : replan === null
      ? searchSizes(context, loads, { boundOf, pointsOf })
      : planWanted(context, loads, replan);
  const sized = found.map((plan) => {
    const { freed, moves } = plan.emptied;
    const seconds = moves.reduce((sum, { instance }) => sum + moveSeconds(model, loads.cpu, instance), 0);
    return { ...plan, freed, moves, seconds, points: [0, 0], value: pointsOf(inUse - freed.length) };
  });
  const mostSeconds = (parameters.max_minutes ?? Number.POSITIVE_INFINITY) * 60;
  const short = sized.filter(({ seconds }) => seconds <= mostSeconds);
  const chosen = choosePlan(short, parameters.choose, pointsOf(inUse));
  const { freed, moves, budget } = chosen ?? { freed: [], moves: [], budget: budgetOf(parameters) };
  const bound = boundOf(budget);
  const variants = short
    .filter((plan) => plan.freed.length > 0)
    .map(
      (plan): StrategyVariant => ({
        budget: plan.budget,
        moves: plan.moves.length,
        gib: movedMib(model, plan.moves) / 1024,
        seconds: plan.seconds,
        value: plan.value,
        bound: pointsOf(boundOf(plan.budget)),
        chosen: plan === chosen,
        actions: actionsOf(model, plan),
      }),
    );
  const actions = variants.find((variant) => variant.chosen)?.actions ?? [];
  const obstacles = chosen === undefined ? [] : reportObstacles(chosen.task, chosen.emptied, blocked);
  const movedGib = movedMib(model, moves) / 1024;
  const after = inUse - freed.length;
  return {
    actions,
    variants: replan === null ? variants : [],
    considered: accepting.length,
    freed: freed.length,
    migrations: moves.length,
    movedGib,
    rank: [-freed.length, movedGib],
    endedBy: settled || (freed.length > 0 && after <= bound) ? 'bound' : 'converged',
    points: { before: pointsOf(inUse), after: pointsOf(after) },
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
      gap: settled || bound >= inUse ? 0 : (after - bound) / (inUse - bound),
      notes: [
        ...(freed.length > 0
          ? [
              `${counted(freed.length, 'host')} emptied by ${counted(moves.length, 'migration')} of ${shortNumber(movedGib)} GiB`,
            ]
          : []),
        ...loads.notes,
        ...obstacles,
      ],
    },
  };
}
