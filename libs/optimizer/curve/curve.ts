import { limitedMovesBound } from '../bounds/limited-moves.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import type { Problem } from '../problem/problem.ts';
import type { Progress } from '../search/anneal.ts';
import { annealWithin } from '../search/anneal-budget.ts';
import { Best } from '../search/best.ts';
import { steepest } from '../search/steepest.ts';
import { dropUseless } from './drop.ts';

/** A point of the curve "value against moves". Each point is a separate plan, not a part of one plan. */
export interface CurvePoint {
  /** Items off their homes. At most the budget. */
  moves: number;
  value: number;
  /** No plan of so many moves is better. */
  bound: number;
  host: Int32Array;
}

/** How to make a curve. */
export interface CurveOptions {
  seed: number;
  /** Budgets of moves, ascending. Default 5, 10, 20, 50, 100, 200, 500. */
  budgets?: readonly number[];
  /** Least gain of a move, in units of cost. Default 0. */
  movePrice?: number;
  /**
   * Part of the search after the exact steps of each point: evaluations of all points together. Default: no limit but
   * `progress`.
   */
  progress: Progress;
}

const usualBudgets = [5, 10, 20, 50, 100, 200, 500];
/** Temperatures in parts of the average gain of one move in the exact steps. */
const temperatures = { from: 0.3, to: 0.003 };

/**
 * The best values for budgets of moves. For each budget: exact steepest shifts from the plan of the former budget,
 * then annealing within the budget, then moves that do not pay are dropped. Ends at the first budget that is not used
 * up.
 */
export function curve(problem: Problem, options: CurveOptions): CurvePoint[] {
  const { budgets = usualBudgets, movePrice = 0, progress } = options;
  const placement = new Placement(problem);
  const around = new Neighbourhood(placement, new Random(options.seed));
  const start = placement.objective();
  const points: CurvePoint[] = [];
  if (around.order.length === 0) return points;
  for (const [index, budget] of budgets.entries()) {
    steepest(placement, budget);
    const best = new Best(placement.host, placement.objective());
    const mean = (start - best.value) / Math.max(1, placement.movedCount);
    const stage: Progress = (evaluations) => progress(evaluations) * budgets.length - index;
    if (mean > 0)
      annealWithin(around, budget, { from: temperatures.from * mean, to: temperatures.to * mean }, stage, best);
    placement.restore(best.host);
    dropUseless(placement, movePrice);
    points.push({
      moves: placement.movedCount,
      value: placement.objective(),
      bound: limitedMovesBound(problem, budget),
      host: placement.host.slice(),
    });
    if (placement.movedCount < budget) break;
  }
  return points;
}
