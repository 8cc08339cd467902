import type { WhatIf } from '#libs/cluster-model';
import {
  createLimitedMovesBound,
  type HostTerms,
  hingeCost,
  immovablePartBound,
  Placement,
  type Problem,
  placesBound,
  sharedFloats,
} from '#libs/optimizer';
import { createPlacementProblem, type PlacementProblem } from '#libs/plugin-kit';
import { createPlacePatterns, type PlacePatterns } from './place-patterns.ts';
import type { Term } from './terms.ts';

/** Remaining points of each term: 100 for the current placement, 0 at the bound. */
const points = 100;
/**
 * Weight of a level against the next one. Large enough that no gain below outweighs a loss above, small enough to stay
 * exact.
 */
const levelWeights = [1e6, 1e3, 1];
/** A smaller difference of values is a rounding error of sums. */
export const negligible = 1e-6;

/** A term with its place in the problem. */
export interface PlacedTerm extends Term {
  /** Current value, and the minimum of any placement. */
  before: number;
  bound: number;
  /** Lower bound for a plan with this number of moves. 0: any number. */
  boundWithin(moves: number): number;
  /** Cost of a unit of its value, including level and operator weight. */
  price: number;
  /** Whether it is far enough from its optimum to be worth a plan, see `dueFrom`. */
  isDue: boolean;
  /** Columns of the problem that are its hinges, from `first` on. */
  first: number;
  /** The problem of this term alone. Its cost is the value of the term. */
  alone: Problem;
  /** Patterns for its places. Null without places or fast patterns. */
  patterns: PlacePatterns | null;
}

/** A cloud as a problem for the optimizer. Items are the instances with a host. */
export interface PlacementTask {
  problem: Problem;
  terms: PlacedTerm[];
  /** Row of the instance of each item, and item of each row (−1: on no host). */
  instanceOf: Int32Array;
  itemOf: Int32Array;
}

/** Cost of the migrations of a plan, in points of the aim, by row of the instance. */
type MovePrice = (instance: number) => number;

/** Columns of one term, or of all terms, with the price 1 for each unit of their values. */
function problemOf(model: WhatIf, terms: readonly Term[], movePrice: MovePrice): PlacementProblem {
  const hinges = terms.flatMap(({ hinges: own, places = [] }) =>
    own.map((hinge, at) => ({ ...hinge, isWall: hinge.isWall ?? places.some(({ needs }) => needs[at]! > 0) })),
  );
  return createPlacementProblem(model, { hinges, movePrice });
}

/** Costs of missing places by their prices, and the need of a place in each column. Null without places. */
function placeCosts(
  { hosts, columns }: Pick<Problem, 'hosts' | 'columns'>,
  slotPrices: readonly number[],
  slotNeeds: readonly number[],
): HostTerms | null {
  if (slotPrices.length === 0) return null;
  return {
    slotPrices: Float64Array.from(slotPrices),
    slotNeeds: Float64Array.from(slotNeeds),
    inUsePrices: new Float64Array(hosts),
    squarePrices: new Float64Array(columns),
  };
}

/** Columns of a table, `first` being the first. */
function columnsOf(table: Float64Array, columns: number, first: number, count: number): Float64Array {
  const part = sharedFloats((table.length / columns) * count);
  for (let from = first, to = 0; to < part.length; from += columns, to += count)
    for (let k = 0; k < count; k += 1) part[to + k] = table[from + k]!;
  return part;
}

/**
 * The problems of single terms, made of their columns in the problem of all. The cost of each is the value of the
 * term. Instances that stay for their price are free in it.
 */
function createTermProblems(whole: Problem): (term: Term, first: number) => Problem {
  const { columns, prices } = whole;
  const free = { fixed: whole.fixed.slice(), moveCost: sharedFloats(whole.items) };
  return ({ hinges: { length: count }, places = [] }, first) => {
    const [use, base, limit] = [whole.use, whole.base, whole.limit].map((table) =>
      columnsOf(table, columns, first, count),
    ) as [Float64Array, Float64Array, Float64Array];
    const alone = { ...whole, ...free, columns: count, use, base, limit, prices: prices.slice(first, first + count) };
    const needs = places.flatMap((place) => place.needs);
    return { ...alone, terms: placeCosts(alone, new Array(places.length).fill(1), needs) };
  };
}

/** Cost of the problem of a term with each item on its host of `host`. */
function costAt(alone: Problem, host: ArrayLike<number> = alone.home): number {
  return alone.terms === null ? hingeCost(alone, host) : new Placement(alone, host).objective();
}

/** Value of a term for the placement `host`. */
export function valueAt({ alone, unavoidable }: PlacedTerm, host: ArrayLike<number>): number {
  return beyond(unavoidable, costAt(alone, host));
}

/** The avoidable part of a cost. Rounding must not make a balanced cloud better than balanced. */
function beyond(unavoidable: number | undefined, cost: number): number {
  return unavoidable === undefined ? cost : Math.max(0, cost - unavoidable);
}

/** Lower bound of a term for a plan with a number of moves. 0: any number. */
function createBound(term: Term, alone: Problem): (moves: number) => number {
  const known = new Map<number, number>();
  let limited: ReturnType<typeof createLimitedMovesBound> | undefined;
  const hingesBound = (moves: number) => {
    if (moves === 0) return immovablePartBound(alone);
    limited ??= createLimitedMovesBound(alone);
    return limited(moves);
  };
  return (moves) => {
    const bound =
      known.get(moves) ??
      Math.max(term.least ?? 0, placesBound(alone, moves) + hingesBound(moves) - (term.unavoidable ?? 0));
    known.set(moves, bound);
    return bound;
  };
}

/** Whether a term is far enough from its optimum to be worth a plan. */
function isTermDue({ hinges, dueFrom = 0, places = [] }: Term, alone: Problem, toGain: number): boolean {
  if (places.length > 0) return toGain > negligible;
  const prices = alone.prices.map((price, k) => (k < dueFrom ? 0 : price));
  return hinges.length > dueFrom && costAt({ ...alone, prices }) > negligible;
}

/** Creates a problem of the current model. `factors`: additional weight of each term, by name. */
export function createPlacementTask(
  model: WhatIf,
  terms: readonly Term[],
  options: { movePrice: MovePrice; factors: Readonly<Record<string, number>> },
): PlacementTask {
  const kept = terms.filter(({ name }) => (options.factors[name] ?? 1) > 0);
  const { problem, instanceOf, itemOf } = problemOf(model, kept, options.movePrice);
  const termAlone = createTermProblems(problem);
  let first = 0;
  const scales = new Map<string, number>();
  const placed = kept.map((term): PlacedTerm => {
    const alone = termAlone(term, first);
    const before = beyond(term.unavoidable, costAt(alone));
    const boundOf = createBound(term, alone);
    const bound = Math.min(before, boundOf(0));
    const patterns = createPlacePatterns(model, term, alone);
    const boundWithin = (moves: number) =>
      moves > 0 ? Math.min(before, Math.max(bound, boundOf(moves), patterns?.leastMissing(moves) ?? 0)) : bound;
    const toGain = before - bound;
    const scale = scales.get(term.pointsLike ?? '') ?? (toGain > negligible ? points / toGain : points);
    scales.set(term.name, scale);
    const price = scale * levelWeights[term.level]! * (options.factors[term.name] ?? 1);
    const one = {
      ...term,
      before,
      bound,
      boundWithin,
      price,
      isDue: isTermDue(term, alone, toGain),
      first,
      alone,
      patterns,
    };
    first += term.hinges.length;
    return one;
  });
  return { problem, terms: placed, instanceOf, itemOf };
}

/** The problem of the search: the terms by their prices, and the price of migrations. */
export function pricedProblem({ problem, terms }: Pick<PlacementTask, 'problem' | 'terms'>): Problem {
  const prices = sharedFloats(problem.columns);
  const slotPrices: number[] = [];
  const slotNeeds: number[] = [];
  for (const { first, hinges, places = [], price } of terms) {
    for (let k = first; k < first + hinges.length; k += 1) prices[k] = problem.prices[k]! * price;
    for (const { needs } of places) {
      slotPrices.push(price);
      for (let k = 0; k < problem.columns; k += 1) slotNeeds.push(needs[k - first] ?? 0);
    }
  }
  return { ...problem, prices, terms: placeCosts(problem, slotPrices, slotNeeds) };
}

type Repairs = Pick<PlacementTask, 'terms' | 'problem'>;

/** By how much a move lowers the cost of broken rules and of hosts above their capacity. */
function repairOf({ terms, problem }: Repairs, { rows, stride, host }: Placement, item: number, to: number): number {
  const { columns, prices, use } = problem;
  const from = host[item]!;
  let gain = 0;
  for (const { first, hinges, price } of terms.filter(({ level }) => level === 0))
    for (let k = first; k < first + hinges.length; k += 1) {
      const amount = use[item * columns + k]!;
      const [source, target] = [rows[from * stride + k]!, rows[to * stride + k]!];
      const relief = Math.max(0, source) - Math.max(0, source - amount);
      gain += prices[k]! * price * (relief - Math.max(0, target + amount) + Math.max(0, target));
    }
  return gain;
}

/**
 * Whether a move lowers the cost of broken rules, or of hosts above their capacity, or is another way of an earlier
 * move that does.
 */
export function repairs(task: Repairs, placement: Placement, item: number, to: number): boolean {
  const gain = repairOf(task, placement, item, to);
  if (gain > negligible) return true;
  const home = task.problem.home[item]!;
  const isAway = placement.host[item] !== home && to !== home;
  return isAway && gain > -negligible && repairOf(task, placement, item, home) < -negligible;
}

/** Whether any gain is possible. */
export function canGain({ terms }: PlacementTask): boolean {
  return terms.some(({ before, bound }) => before - bound > negligible);
}

/** Remaining points of a term. The current placement has 100. */
export function pointsOf(term: PlacedTerm, value: number): number {
  const toGain = term.before - term.bound;
  return toGain > negligible ? ((value - term.bound) / toGain) * points : 0;
}

/** Mean points of the terms of a level. 0 when no gain is possible. */
export function pointsAt(level: number, { terms }: PlacementTask, value: (term: PlacedTerm) => number): number {
  const open = terms.filter((term) => term.level === level && term.before - term.bound > negligible);
  return open.reduce((sum, term) => sum + pointsOf(term, value(term)), 0) / Math.max(1, open.length);
}

/** The level shown to users: the aim when it can gain, else the last level that can. */
export function levelInView({ terms }: PlacementTask): number {
  return Math.max(0, ...terms.flatMap(({ level, before, bound }) => (before - bound > negligible ? level : [])));
}

/** Points of the shown level for the current placement. */
export function pointsOfPlacement(task: PlacementTask, placement: Placement): number {
  const { problem } = task;
  const { rows, stride } = placement;
  return pointsAt(levelInView(task), task, ({ first, hinges, unavoidable = 0 }) => {
    let value = -unavoidable;
    for (let host = 0; host < problem.hosts; host += 1)
      for (let k = first; k < first + hinges.length; k += 1)
        value += Math.max(0, rows[host * stride + k]!) * problem.prices[k]!;
    return value;
  });
}
