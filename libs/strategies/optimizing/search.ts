import type { WhatIf } from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import type { StrategyWork } from '#libs/plugin-kit';
import { Descent } from './descent.ts';
import { type PlacementTask, pointsOfPlacement } from './placement-task.ts';

/** So many attempts in vain end the search for a size: what chance could find easily is found. Of the largest size, and of the others. */
const patience = { largest: 40, other: 10 };
/** Part of the work that the largest size may use when there are others. */
const workOfLargest = 0.7;
/** Part of the moves that an attempt takes back at most. */
const largestPart = 0.5;

/** Where every item is to go with so many moves; `value` is the cost of that, migrations included. */
export interface Found {
  /** Moves that it may have; 0: any number. */
  budget: number;
  host: Int32Array;
  value: number;
}

/** What a search needs. */
export interface SearchOptions {
  work: StrategyWork;
  random: RandomSource;
  /** Budgets of moves, ascending; 0 (any number) is the last one. */
  budgets: readonly number[];
  /** Points that no plan of the largest budget can pass. */
  bound: number;
}

/**
 * Searches for the best placement for each budget of moves: steepest descent, from the smallest budget on, then again and again some moves are taken
 * back by chance and others found, for the largest budget first, until nothing better turns up or the work is done. A budget that a smaller one's
 * placement does not use up is left out. The model is left as it was.
 */
export function searchPlacements(model: WhatIf, task: PlacementTask, options: SearchOptions): Found[] {
  const { work, budgets, bound } = options;
  const descent = new Descent(model, task, work);
  const { placement } = descent;
  const tell = () => work.report({ value: pointsOfPlacement(task, placement), bound, moves: placement.awayCount });
  const found: Found[] = [];
  let goesOn = true;
  for (const budget of budgets) {
    goesOn = descent.run(budget);
    found.push({ budget, host: placement.host.slice(), value: placement.objective() });
    tell();
    if (!goesOn || (budget > 0 && placement.awayCount < budget)) break;
  }
  for (let index = found.length - 1; goesOn && index >= 0; index -= 1) {
    const isLargest = index === found.length - 1;
    const mayUse = isLargest && index > 0 ? work.total * workOfLargest : work.total;
    found[index] = improve(descent, found[index]!, { ...options, mayUse, tell: isLargest ? tell : () => {} });
    goesOn = work.spend(0);
  }
  restore(descent, task.problem.home);
  return found;
}

/** Takes moves back by chance and finds others, until nothing better turns up. */
function improve(
  descent: Descent,
  known: Found,
  { work, random, budgets, mayUse, tell }: SearchOptions & { mayUse: number; tell(): void },
): Found {
  const { placement } = descent;
  const { budget } = known;
  const mostVain = budget === budgets.at(-1) ? patience.largest : patience.other;
  restore(descent, known.host);
  let best = known;
  let goesOn = true;
  for (let vain = 0; goesOn && vain < mostVain && placement.awayCount > 0 && work.spent < mayUse; vain += 1) {
    takeBack(descent, random);
    goesOn = descent.run(budget);
    const value = placement.objective();
    if (value < best.value - Math.abs(best.value) * 1e-12) {
      best = { budget, host: placement.host.slice(), value };
      vain = -1;
      tell();
    } else {
      restore(descent, best.host);
    }
  }
  return best;
}

/** Sends some of the moved instances home, as far as the model lets them. */
function takeBack(descent: Descent, random: RandomSource): void {
  const { placement } = descent;
  const away = placement.awayItems.slice(0, placement.awayCount);
  const part = random() * largestPart;
  let isAnyBack = false;
  for (const [index, item] of away.entries()) {
    const isLast = index === away.length - 1;
    if (random() >= part && !(isLast && !isAnyBack)) continue;
    const home = placement.problem.home[item]!;
    if (!descent.admits(item, home)) continue;
    descent.move(item, home);
    isAnyBack = true;
  }
}

/** Puts every item where it is in a placement that was possible before; nothing is asked. */
function restore(descent: Descent, host: Int32Array): void {
  host.forEach((to, item) => {
    if (descent.placement.host[item] !== to) descent.move(item, to);
  });
}
