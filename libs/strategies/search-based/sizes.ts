import type { WhatIf } from '#libs/cluster-model';
import type { ObjectiveTerm } from '#libs/domain';
import type { OrderedMove } from './order.ts';
import { levelInView, negligible, type PlacedTerm, type PlacementTask, pointsAt, valueAt } from './placement-task.ts';

/** Budgets of moves for the points of the curve, below the requested one. */
const usualBudgets = [5, 10, 20, 50, 100, 200, 500];
/** Minimum bend of a curve at its knee, as a fraction of the total gain. A straighter curve has no knee. */
const leastBend = 0.1;
/** Points of a higher level below this are rounding errors. */
const rounding = 0.5;

/** Budgets of the points of a curve that ends at `budget` (0: at any number of moves). */
export function curveBudgets(budget: number): number[] {
  return [...usualBudgets.filter((moves) => budget === 0 || moves < budget), budget];
}

/** A plan of a size, without migrations and report. */
export interface SizedPlan {
  /** Maximum moves. 0: any number. */
  budget: number;
  /** Moves in their order, with the gain of each. */
  moves: OrderedMove[];
  /** Moves of the placement that have no feasible place in the order. */
  dropped: number;
  objective: ObjectiveTerm[];
  /** Mean points by level, 0 to 2. */
  points: number[];
  /** Points of the shown level after it, and the lower bound for a plan of its size. */
  value: number;
  bound: number;
  gib: number;
  seconds: number;
}

/** Evaluates moves that were ordered. `secondsOf`: duration of the migration of an instance. */
export function evaluateMoves(
  model: WhatIf,
  task: PlacementTask,
  { budget, moves, dropped }: Pick<SizedPlan, 'budget' | 'moves' | 'dropped'>,
  secondsOf: (instance: number) => number,
): SizedPlan {
  const host = task.problem.home.slice();
  for (const { item, to } of moves) host[item] = to;
  const after = new Map(task.terms.map((term) => [term, valueAt(term, host)] as const));
  const now = (term: PlacedTerm) => after.get(term) as number;
  const { memory } = model.snapshot.instances;
  return {
    budget,
    moves,
    dropped,
    objective: task.terms.map((term) => {
      const bound = term.boundWithin(budget);
      // The value and its bound are sums in different orders.
      const after = Math.abs(now(term) - bound) <= negligible ? bound : now(term);
      return { level: term.level, term: term.name, unit: term.unit, before: term.before, after, bound };
    }),
    points: [0, 1, 2].map((level) => pointsAt(level, task, now)),
    value: pointsAt(levelInView(task), task, now),
    bound: pointsAt(levelInView(task), task, (term) => term.boundWithin(budget)),
    gib: moves.reduce((sum, { instance }) => sum + (memory[instance] as number), 0) / 1024,
    seconds: moves.reduce((sum, { instance }) => sum + secondsOf(instance), 0),
  };
}

/** Plans that gain more than every smaller one. */
export function withoutUseless(plans: readonly SizedPlan[]): SizedPlan[] {
  const kept: SizedPlan[] = [];
  let most = 0;
  for (const plan of plans) {
    const gain = plan.moves.reduce((sum, move) => sum + move.gain, 0);
    if (gain <= most) continue;
    most = gain;
    kept.push(plan);
  }
  return kept;
}

/**
 * How a point of a curve is chosen: the largest within the budget, or the point after which further moves gain little.
 */
export type Choice = 'budget' | 'knee';

/**
 * The chosen plan. Undefined without any. A knee is searched among plans that lose nothing of the levels above. A
 * nearly straight curve has no knee, and the largest plan is chosen.
 */
export function choosePlan<Plan extends Pick<SizedPlan, 'points' | 'value'> & { moves: { length: number } }>(
  plans: readonly Plan[],
  choice: Choice,
  start: number,
): Plan | undefined {
  const largest = plans.at(-1);
  if (largest === undefined || choice === 'budget') return largest;
  const equal = plans.filter(({ points }) =>
    [0, 1].every((level) => points[level]! <= largest.points[level]! + rounding),
  );
  const curve = equal.map(({ moves, value }) => ({ moves: moves.length, value }));
  const knee = equal[kneeOf(curve, start)] ?? largest;
  const gained = (start - knee.value) / Math.max(Number.MIN_VALUE, start - largest.value);
  return gained - knee.moves.length / largest.moves.length < leastBend ? largest : knee;
}

/** The knee: the point farthest from the straight line between the first and the last one. -1 without points. */
function kneeOf(points: readonly { moves: number; value: number }[], start: number): number {
  const last = points.at(-1);
  if (last === undefined) return -1;
  const distances = points.map(({ moves, value }) => {
    const gained = (start - value) / Math.max(Number.MIN_VALUE, start - last.value);
    return gained - moves / Math.max(1, last.moves);
  });
  return distances.indexOf(Math.max(...distances));
}
