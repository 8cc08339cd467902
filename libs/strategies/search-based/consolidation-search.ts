import type { WantedMove } from '#libs/domain';
import { emptyHosts } from '../shared/moves/empty-hosts.ts';
import type { Emptied, EmptyingTask } from '../shared/moves/emptying-run.ts';
import {
  attemptEmptying,
  type ConsolidationContext,
  emptiableHosts,
  loadShares,
  occupiedHosts,
  type Takers,
} from './consolidation-attempt.ts';
import { createEmptyingLoss, type EmptyingLoss } from './emptying-loss.ts';
import type { Loads } from './loads.ts';
import { createPacker } from './packing.ts';
import { budgetOf } from './parameters.ts';
import { curveBudgets } from './sizes.ts';

/**
 * Maximum consecutive orders without improvement: for the largest plan, and for others or when only memory can
 * improve.
 */
const patience = 60;
const smallPatience = 8;
/** Fraction of the work for the largest plan when there are others. */
const workOfLargest = 0.7;
/** Maximum number of packed sets of hosts. */
const packings = 3;
/** Obstacle of a host with too few migrations left. */
const budgetConstraint = 'migration-budget';
/** Units of work for a host or an instance in the preparation of an attempt. */
const preparationWork = 2;
/** Above the loss of a host. Fewer instances precede less loss where migrations are limited. */
const largestLoss = 1e9;
/** Maximum random change of the position of a host in an order. */
const largestFactor = 2;

/** Rounding tolerance of losses. */
const slack = 1e-6;

/** Prefers more hosts, then less loss, then fewer moves. */
function isBetter(loss: EmptyingLoss, one: Emptied, other: Emptied): boolean {
  if (one.freed.length !== other.freed.length) return one.freed.length > other.freed.length;
  const more = loss.ofPlan(one) - loss.ofPlan(other);
  return Math.abs(more) > slack ? more < 0 : one.moves.length < other.moves.length;
}

/** A plan of a size, and how it was found. */
export interface EmptyingPlan {
  budget: number;
  task: EmptyingTask;
  emptied: Emptied;
}

/** Also has the position of each host in its order, and the hosts that received instances. */
type RankedPlan = EmptyingPlan & {
  rank: Map<number, number>;
  takers: Takers;
  preferred?: ReadonlyMap<number, number>;
  planned?: ReadonlySet<number>;
};

/** Tried with every order except random changes of the best one. */
const allTakers: readonly Takers[] = ['tightest', 'busiest'];

interface OrderSearch {
  budget: number;
  /** Consecutive orders without improvement that end the search. */
  mostVain: number;
  /** Minimum hosts in use of any plan within the budget. */
  bound: number;
  /** Units of work after which the search ends. */
  mayUse: number;
  /** Plan of a larger budget, whose order is also tried. */
  larger?: RankedPlan;
  /** Points of a cloud by its number of hosts in use. */
  pointsOf(hosts: number): number;
}

/** One way to empty hosts. */
interface Way {
  /** Hosts are emptied in ascending order of the key. */
  key(host: number): number;
  takers: Takers;
  /** Hosts that instances try first. Default: none. */
  preferred?: ReadonlyMap<number, number>;
  /** Hosts to be emptied, which instances try last. Default: none. */
  planned?: ReadonlySet<number>;
}

/** Tries orders for a budget and remembers the best plan. */
class OrderTrials {
  best: RankedPlan | null = null;
  /** Hosts that rules or reserves kept in the last attempt. */
  kept = new Set<number>();
  /** Hosts that may be emptied. */
  readonly sources: number[];
  readonly inUse: number;
  readonly loss: EmptyingLoss;
  private readonly context: ConsolidationContext;
  private readonly loads: Loads;
  private readonly options: OrderSearch;

  constructor(context: ConsolidationContext, loads: Loads, options: OrderSearch) {
    this.context = context;
    this.loads = loads;
    this.options = options;
    this.sources = emptiableHosts(context);
    const occupied = occupiedHosts(context);
    this.inUse = occupied.length;
    this.loss = createEmptyingLoss(context.model, occupied);
  }

  get freed(): number {
    return this.best?.emptied.freed.length ?? 0;
  }

  /** Whether no plan can free more hosts. */
  get isMost(): boolean {
    return this.best !== null && this.inUse - this.freed <= this.options.bound;
  }

  /** Whether there is work left, and a possible improvement. */
  get goesOn(): boolean {
    const { work } = this.context;
    // Without a budget, the packed hosts are those with the least memory.
    const isBest = this.isMost && this.options.budget === 0;
    return !isBest && this.sources.length > 0 && this.inUse > 1 && work.spend(0) && work.spent <= this.options.mayUse;
  }

  /** Returns true when it is the best plan so far. */
  tries({ key, takers, preferred, planned }: Way): boolean {
    const { context, loads, sources } = this;
    const { budget, larger, bound, pointsOf } = this.options;
    const values = new Map(sources.map((host) => [host, key(host)]));
    const order = [...sources].sort((a, b) => (values.get(a) as number) - (values.get(b) as number) || a - b);
    const task = attemptEmptying(context, loads, { order, takers, budget, preferred, planned });
    const emptied = emptyHosts(task);
    const { hostInfo, instanceInfo } = context.model.snapshot;
    context.work.spend(preparationWork * (hostInfo.length + instanceInfo.length));
    const kept = emptied.obstacles.filter(({ constraint }) => constraint !== budgetConstraint);
    this.kept = new Set(kept.map(({ host }) => host));
    if (this.best !== null && !isBetter(this.loss, emptied, this.best.emptied)) return false;
    const rank = new Map(order.map((host, place) => [host, place + 1]));
    this.best = { budget, task, emptied, rank, takers, preferred, planned };
    const value = pointsOf(this.inUse - emptied.freed.length);
    if (!larger) context.work.report({ value, bound: pointsOf(bound), moves: emptied.moves.length });
    return true;
  }
}

/** Tries the cheapest hosts that can be packed together. */
function tryPacked(trials: OrderTrials, context: ConsolidationContext, loads: Loads, options: OrderSearch): void {
  const { model } = context;
  const { budget, bound } = options;
  const pack = createPacker(context, loads, budget);
  const cost = (host: number) => (budget > 0 ? model.instancesOn(host).length : model.used(host).memory);
  const staying = new Set<number>();
  let most = Math.min(trials.sources.length, trials.inUse - bound);
  for (let packed = 0; packed < packings && most > 0 && trials.goesOn; packed += 1) {
    const { order, targets } = pack(most, staying);
    const place = new Map(order.map((host, index) => [host, index - order.length]));
    const planned = new Set(order);
    for (const takers of allTakers)
      trials.tries({ key: (host) => place.get(host) ?? cost(host), takers, preferred: targets, planned });
    const known = staying.size;
    for (const host of trials.kept) if (planned.has(host)) staying.add(host);
    // Tries again without the hosts that rules or reserves keep. Without a budget, it tries as many of the cheapest
    // hosts as the last attempt freed.
    if (budget === 0) most = trials.freed;
    else if (staying.size === known) break;
  }
}

/**
 * Tries orders: by loss into the hosts that stay longest, the cheapest hosts that can be packed together, then by
 * memory, vcpus, number of instances and load, then random changes of the best one until it no longer improves.
 */
function searchOrders(context: ConsolidationContext, loads: Loads, options: OrderSearch): RankedPlan | null {
  const { model, random } = context;
  const { mostVain, larger } = options;
  const trials = new OrderTrials(context, loads, options);
  const memory = (host: number) => model.used(host).memory;
  const { open } = context.past;
  if (open.length > 0 && trials.goesOn) {
    const { order, targets } = wantedHosts(context, open);
    const place = new Map(order.map((host, index) => [host, index - order.length]));
    trials.tries({ key: (host) => place.get(host) ?? memory(host), takers: 'tightest', preferred: targets });
  }
  const leastLoss = (host: number) =>
    (options.budget > 0 ? model.instancesOn(host).length * largestLoss : 0) + trials.loss.ofHost(host);
  if (trials.goesOn) trials.tries({ key: leastLoss, takers: 'last' });
  tryPacked(trials, context, loads, options);
  const shares = loadShares(model, loads.cpu, trials.sources);
  const keys = [
    memory,
    (host: number) => model.used(host).vcpus,
    (host: number) => model.instancesOn(host).length,
    (host: number) => shares.get(host) ?? 0,
  ];
  const ways = keys.flatMap((key) => allTakers.map((takers) => ({ key, takers })));
  if (larger) ways.push({ key: (host) => larger.rank.get(host) ?? 0, takers: larger.takers });
  let vain = 0;
  for (let round = 0; vain < (trials.isMost ? smallPatience : mostVain) && trials.goesOn; round += 1) {
    const { best } = trials;
    const most = random() * (largestFactor - 1);
    const changed = (host: number) => (best?.rank.get(host) ?? 0) * (1 + random() * most);
    const way = ways[round] ?? {
      key: changed,
      takers: best?.takers ?? 'tightest',
      preferred: best?.preferred,
      planned: best?.planned,
    };
    vain = trials.tries(way) ? 0 : vain + 1;
  }
  return trials.best;
}

/**
 * Plans of all sizes, ascending. The largest is searched first. A smaller plan that frees as many hosts replaces it.
 */
export function searchSizes(
  context: ConsolidationContext,
  loads: Loads,
  { boundOf, pointsOf }: { boundOf(budget: number): number; pointsOf(hosts: number): number },
): EmptyingPlan[] {
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

/** Destinations of instances in the wanted migrations, by row, and the hosts that the instances leave. */
function wantedHosts(context: ConsolidationContext, wanted: readonly WantedMove[]) {
  const { model } = context;
  const targets = new Map<number, number>();
  for (const { instance, host } of wanted) {
    const [row, to] = [model.instanceRow(instance), model.hostRow(host)];
    if (row !== undefined && to !== undefined) targets.set(row, to);
  }
  const emptiable = new Set(emptiableHosts(context));
  const sources = [...targets.keys()].map((row) => model.hostOf[row] as number);
  return { targets, order: [...new Set(sources)].filter((host) => emptiable.has(host)) };
}

/** The plan with the wanted migrations, as far as they still empty a host. */
export function planWanted(context: ConsolidationContext, loads: Loads, wanted: readonly WantedMove[]): EmptyingPlan[] {
  const { order, targets } = wantedHosts(context, wanted);
  const task = attemptEmptying(context, loads, { order, takers: 'tightest', budget: 0, wanted: targets });
  return [{ budget: wanted.length, task, emptied: emptyHosts(task) }];
}
