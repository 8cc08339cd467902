import type { WhatIf } from '#libs/cluster-model';
import {
  buildGroups,
  immovablePartBound,
  limitedMovesBound,
  type Placement,
  type Problem,
  sharedBytes,
  sharedFloats,
  sharedInts,
} from '#libs/optimizer';
import type { Term } from './terms.ts';

/** Points of what there is to gain in each term: 100 today, 0 at the bound. */
const points = 100;
/** What a level counts more than the next one. Great enough that no gain below pays for a loss above, small enough to stay exact. */
const levelWeights = [1e6, 1e3, 1];
/** Less than so much to gain is nothing: rounding of sums. */
const negligible = 1e-6;

/** A term with its place in the problem. */
export interface PlacedTerm extends Term {
  /** Value today, and the least that any placement can have. */
  before: number;
  bound: number;
  /** The least that a plan of so many moves can have; 0: of any number. */
  boundWithin(moves: number): number;
  /** What a unit of its value costs, level and wish of the operator included. */
  price: number;
  /** Whether it is far enough from its best to be worth a plan, see `dueFrom`. */
  isDue: boolean;
  /** Columns of the problem that are its hinges, from `first` on. */
  first: number;
}

/** A problem for the optimizer, made of a cloud. Items are the instances that are on a host. */
export interface PlacementTask {
  problem: Problem;
  terms: PlacedTerm[];
  /** Row of the instance of each item, and item of each row (−1: on no host). */
  instanceOf: Int32Array;
  itemOf: Int32Array;
}

/** What the migrations of a plan cost, in points of the aim, by row of the instance. */
type MovePrice = (instance: number) => number;

function itemRows(model: WhatIf): { instanceOf: Int32Array; itemOf: Int32Array } {
  const instanceOf = Int32Array.from(model.hostOf.keys()).filter((row) => (model.hostOf[row] as number) >= 0);
  const itemOf = new Int32Array(model.hostOf.length).fill(-1);
  instanceOf.forEach((row, item) => {
    itemOf[row] = item;
  });
  return { instanceOf, itemOf };
}

/** Columns of one term, or of all of them, with the price 1 for each unit of their values. */
function problemOf(model: WhatIf, terms: readonly Term[], instanceOf: Int32Array): Problem {
  const hinges = terms.flatMap((term) => term.hinges);
  const [hosts, items, columns] = [model.snapshot.hostInfo.length, instanceOf.length, hinges.length];
  const prices = sharedFloats(columns);
  const use = sharedFloats(items * columns);
  const base = sharedFloats(hosts * columns);
  hinges.forEach((hinge, k) => {
    prices[k] = hinge.weight;
    for (let item = 0; item < items; item += 1) use[item * columns + k] = hinge.use[instanceOf[item]!]!;
    for (let host = 0; host < hosts; host += 1) base[host * columns + k] = -hinge.limit[host]!;
  });
  const home = sharedInts(items);
  const fixed = sharedBytes(items);
  instanceOf.forEach((row, item) => {
    home[item] = model.hostOf[row]!;
    fixed[item] = model.immovable(row) === null ? 0 : 1;
  });
  const problem = {
    hosts,
    items,
    columns,
    transientColumns: 0,
    prices,
    use,
    base,
    // Room is the business of the cluster model, with all other rules.
    limit: sharedFloats(hosts * columns).fill(Number.POSITIVE_INFINITY),
    home,
    fixed,
    moveCost: sharedFloats(items),
    classOf: sharedInts(hosts),
    classes: 1,
    distance: sharedFloats(1),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: null,
  };
  return problem;
}

/** Value of some columns of a problem with every item where `host` says. */
export function valueAt(problem: Problem, host: Int32Array, first: number, count: number): number {
  let value = 0;
  for (let k = first; k < first + count; k += 1) {
    const sums = Float64Array.from({ length: problem.hosts }, (_, row) => problem.base[row * problem.columns + k]!);
    host.forEach((row, item) => {
      sums[row]! += problem.use[item * problem.columns + k]!;
    });
    for (const sum of sums) value += Math.max(0, sum) * problem.prices[k]!;
  }
  return value;
}

/**
 * Makes a problem of the model as it is. `factors`: what each term counts more than usual, by name.
 */
export function createPlacementTask(
  model: WhatIf,
  terms: readonly Term[],
  options: { movePrice: MovePrice; factors: Readonly<Record<string, number>> },
): PlacementTask {
  const { instanceOf, itemOf } = itemRows(model);
  const kept = terms.filter(({ name }) => (options.factors[name] ?? 1) > 0);
  const problem = problemOf(model, kept, instanceOf);
  let first = 0;
  const placed = kept.map((term): PlacedTerm => {
    const before = valueAt(problem, problem.home, first, term.hinges.length);
    const alone = problemOf(model, [term], instanceOf);
    const bound = Math.min(before, immovablePartBound(alone));
    const boundWithin = (moves: number) =>
      moves > 0 ? Math.min(before, Math.max(bound, limitedMovesBound(alone, moves))) : bound;
    const toGain = before - bound;
    const scale = toGain > negligible ? points / toGain : points;
    const price = scale * levelWeights[term.level]! * (options.factors[term.name] ?? 1);
    const { dueFrom = 0 } = term;
    const isDue = valueAt(problem, problem.home, first + dueFrom, term.hinges.length - dueFrom) > negligible;
    const one = { ...term, before, bound, boundWithin, price, isDue, first };
    first += term.hinges.length;
    return one;
  });
  instanceOf.forEach((row, item) => {
    problem.moveCost[item] = options.movePrice(row);
  });
  return { problem, terms: placed, instanceOf, itemOf };
}

/** The problem whose cost is what the search lowers: all terms by their prices, and the price of migrations. */
export function pricedProblem({ problem, terms }: PlacementTask): Problem {
  const prices = sharedFloats(problem.columns);
  for (const { first, hinges, price } of terms)
    for (let k = first; k < first + hinges.length; k += 1) prices[k] = problem.prices[k]! * price;
  return { ...problem, prices };
}

/** Whether anything can be gained at all. */
export function canGain({ terms }: PlacementTask): boolean {
  return terms.some(({ before, bound }) => before - bound > negligible);
}

/** Points that a term has left; 100 is today. */
export function pointsOf(term: PlacedTerm, value: number): number {
  const toGain = term.before - term.bound;
  return toGain > negligible ? ((value - term.bound) / toGain) * points : 0;
}

/** Mean points of the terms of a level; 0 where nothing can be gained. */
export function pointsAt(level: number, { terms }: PlacementTask, value: (term: PlacedTerm) => number): number {
  const open = terms.filter((term) => term.level === level && term.before - term.bound > negligible);
  return open.reduce((sum, term) => sum + pointsOf(term, value(term)), 0) / Math.max(1, open.length);
}

/** The level that people look at: the aim where something of it can be gained, else the last one where something can. */
export function levelInView({ terms }: PlacementTask): number {
  return Math.max(0, ...terms.flatMap(({ level, before, bound }) => (before - bound > negligible ? level : [])));
}

/** Points of the level in view with every item where it is now. */
export function pointsOfPlacement(task: PlacementTask, placement: Placement): number {
  const { problem } = task;
  const { rows, stride } = placement;
  return pointsAt(levelInView(task), task, ({ first, hinges }) => {
    let value = 0;
    for (let host = 0; host < problem.hosts; host += 1)
      for (let k = first; k < first + hinges.length; k += 1)
        value += Math.max(0, rows[host * stride + k]!) * problem.prices[k]!;
    return value;
  });
}
