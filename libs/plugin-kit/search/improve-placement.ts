import type { WhatIf } from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import { hingeCost, immovablePartBound, limitedMovesBound } from '#libs/optimizer';
import type { StrategyWork } from '../work.ts';
import { Descent } from './descent.ts';
import { createPlacementProblem, type PlacementCosts } from './placement-problem.ts';
import { searchPlacements } from './search-placements.ts';

/** A migration by rows. */
export interface PlacementMove {
  instance: number;
  from: number;
  to: number;
}

/** A better placement, and how to get there. */
export interface ImprovedPlacement {
  /** In an order in which the model lets each through. */
  moves: PlacementMove[];
  /** Cost of the hinges before and after these moves, and the least that any so many moves can reach. */
  before: number;
  after: number;
  bound: number;
}

/**
 * Searches for the placement with the least cost that `mostMoves` migrations (0: any number) can reach: steepest
 * descent, then random moves are reverted and found anew, until no improvement follows or the work is done. The best
 * placement until then counts. The model supplies rules and room, and is left unchanged. The same context gives the
 * same result.
 */
export function improvePlacement(
  { model, work, random }: { model: WhatIf; work: StrategyWork; random: RandomSource },
  costs: PlacementCosts,
  mostMoves: number,
): ImprovedPlacement {
  const { problem, instanceOf } = createPlacementProblem(model, costs);
  const free = { ...problem, moveCost: new Float64Array(problem.items) };
  const costOf = (host: ArrayLike<number>) => hingeCost(free, host);
  const before = costOf(problem.home);
  const bound = mostMoves > 0 ? limitedMovesBound(free, mostMoves) : immovablePartBound(free);
  if (before <= bound) return { moves: [], before, after: before, bound };
  const descent = new Descent(model, { problem, instanceOf }, { work });
  const [found] = searchPlacements(descent, { work, random, budgets: [mostMoves], bound });
  const wanted = Array.from(found!.host, (to, item) => ({
    instance: instanceOf[item]!,
    from: problem.home[item]!,
    to,
  })).filter(({ from, to }) => from !== to);
  const moves = inPossibleOrder(model, wanted);
  const host = problem.home.slice();
  const itemAt = new Map(Array.from(instanceOf, (row, item) => [row, item]));
  for (const { instance, to } of moves) host[itemAt.get(instance)!] = to;
  return { moves, before, after: costOf(host), bound };
}

/** Moves in an order in which each is possible at its turn. Moves that are never possible are left out. */
function inPossibleOrder(model: WhatIf, wanted: readonly PlacementMove[]): PlacementMove[] {
  const made: PlacementMove[] = [];
  let open = [...wanted];
  for (let isAnyMade = true; isAnyMade; ) {
    const waiting: PlacementMove[] = [];
    for (const move of open) {
      if (model.refusal(move.instance, move.to) !== null) {
        waiting.push(move);
        continue;
      }
      model.move(move.instance, move.to);
      made.push(move);
    }
    isAnyMade = waiting.length < open.length;
    open = waiting;
  }
  for (const { instance, from } of [...made].reverse()) model.move(instance, from);
  return made;
}
