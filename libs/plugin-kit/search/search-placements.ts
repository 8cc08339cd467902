import type { RandomSource } from '#libs/domain';
import type { Placement } from '#libs/optimizer';
import type { StrategyWork } from '../work.ts';

/**
 * Attempts without success that end the search for a size: the easy improvements are found. For the largest size, and
 * for the others.
 */
const patience = { largest: 40, other: 10 };
/** Part of the work that the largest size may use when there are others. */
const workOfLargest = 0.7;
/** Part of the work for jumps, and of that for the largest size when there are others. */
const workOfJumps = { all: 0.5, largest: 0.7 };
/** Costs that are so near each other, in points of the aim, differ by rounding. */
const equalWithin = 1e-6;
/** Maximum share of moves that an attempt reverses. */
const largestPart = 0.5;

/** Improves a placement step by step. Its purpose decides the kinds of steps. */
export interface Searcher {
  /** Where items are. */
  readonly placement: Placement;
  /** Value that it lowers. */
  readonly value: number;
  /** Points of the level in view. */
  readonly points: number;
  /** Whether it makes single moves only: then a budget that is not used up is large enough. */
  readonly isSingle: boolean;
  /**
   * Continues until nothing improves or the work is done. False when the work is done. `mostMoves`: instances that may
   * be off their home, 0 for any number. `chance`: whether it may try a different way than the last time.
   */
  run(mostMoves: number, chance: boolean): boolean;
  /**
   * Goes from the start to a placement that was found as a whole for so many moves, with up to `mayUse` units of work.
   * False when it knows none. Default: there are only steps.
   */
  jump?(mostMoves: number, mayUse: number): boolean;
  /** Whether an item may go to a host. */
  admits(item: number, to: number): boolean;
  /** Moves without a check. */
  move(item: number, to: number): void;
  /** Whether nothing is lacking that a guard watches over. */
  isKept(): boolean;
}

/** Destination of every item with so many moves. `value` is the cost of that, migrations included. */
export interface Found {
  /** Moves that it may have; 0: any number. */
  budget: number;
  host: Int32Array;
  value: number;
}

/** Input of a search. */
export interface SearchOptions {
  work: StrategyWork;
  random: RandomSource;
  /** Budgets of moves, ascending; 0 (any number) is the last one. */
  budgets: readonly number[];
  /** Points that no plan of the largest budget can pass. */
  bound: number;
  /** Placement of items by a former plan, whose moves are tried first. Default: none. */
  former?: Int32Array;
}

/**
 * Searches for the best placement for each budget of moves: downhill from the smallest budget on. Then, again and
 * again, random moves are reverted and others found, for the largest budget first, until no improvement follows or the
 * work is done. A budget that the placement of a smaller budget does not use up is left out. Results that start from
 * the moves of a former plan win ties, so that a started plan is continued. The model is left unchanged.
 */
export function searchPlacements(searcher: Searcher, options: SearchOptions): Found[] {
  const { work, budgets, bound } = options;
  const { placement } = searcher;
  const report = () => work.report({ value: searcher.points, bound, moves: placement.movedCount });
  const found: Found[] = [];
  let goesOn = true;
  for (const budget of budgets) {
    goesOn = searcher.run(budget, false);
    found.push({ budget, host: placement.host.slice(), value: searcher.value });
    report();
    if (!goesOn || (searcher.isSingle && budget > 0 && placement.movedCount < budget)) break;
  }
  for (let index = 0; goesOn && options.former !== undefined && index < found.length; index += 1) {
    found[index] = continueFormer(searcher, found[index]!, options.former);
    goesOn = work.spend(0);
  }
  goesOn &&= jumpToAll(searcher, found, work);
  for (let index = found.length - 1; goesOn && index >= 0; index -= 1) {
    const isLargest = index === found.length - 1;
    const mayUse = isLargest && index > 0 ? work.total * workOfLargest : work.total;
    found[index] = improve(searcher, found[index]!, { ...options, mayUse, tell: isLargest ? report : () => {} });
    goesOn = work.spend(0);
  }
  restore(searcher, placement.problem.home);
  return found;
}

/** Starts with the moves of a former plan that are still possible, as good as results from the start. */
function continueFormer(searcher: Searcher, known: Found, former: Int32Array): Found {
  const { placement } = searcher;
  const { home } = placement.problem;
  const most = known.budget > 0 ? known.budget : Number.POSITIVE_INFINITY;
  restore(searcher, home);
  const open = new Set(Array.from(former.keys()).filter((item) => former[item] !== home[item]));
  // One may make room for another.
  for (let made = -1; made !== 0; ) {
    made = 0;
    for (const item of open) {
      if (placement.movedCount >= most || !searcher.admits(item, former[item]!)) continue;
      searcher.move(item, former[item]!);
      open.delete(item);
      made += 1;
    }
  }
  searcher.run(known.budget, false);
  const { value } = searcher;
  const isAsGood = searcher.isKept() && value <= known.value + equalWithin;
  return isAsGood ? { budget: known.budget, host: placement.host.slice(), value } : known;
}

/** Tries a jump for each size, the largest first. False when the work is done. */
function jumpToAll(searcher: Searcher, found: Found[], work: StrategyWork): boolean {
  if (searcher.jump === undefined) return true;
  const last = found.length - 1;
  const mayUse = work.total * workOfJumps.all;
  const ofOthers = (mayUse * (1 - workOfJumps.largest)) / Math.max(1, last);
  for (let index = last; index >= 0; index -= 1) {
    found[index] = jumpFrom(searcher, found[index]!, index === last ? mayUse * workOfJumps.largest : ofOthers);
    if (!work.spend(0)) return false;
  }
  return true;
}

/** Jumps from the start, improves that by steps, and keeps the better one. */
function jumpFrom(searcher: Searcher, known: Found, mayUse: number): Found {
  const { placement } = searcher;
  restore(searcher, placement.problem.home);
  if (searcher.jump?.(known.budget, mayUse) !== true) return known;
  searcher.run(known.budget, false);
  const { value } = searcher;
  const isBetter = value < known.value - equalWithin && searcher.isKept();
  return isBetter ? { budget: known.budget, host: placement.host.slice(), value } : known;
}

/** Takes moves back by chance and finds others, until nothing better turns up. */
function improve(
  searcher: Searcher,
  known: Found,
  { work, random, budgets, mayUse, tell }: SearchOptions & { mayUse: number; tell(): void },
): Found {
  const { placement } = searcher;
  const { budget } = known;
  const mostVain = budget === budgets.at(-1) ? patience.largest : patience.other;
  restore(searcher, known.host);
  let best = known;
  let goesOn = true;
  for (let vain = 0; goesOn && vain < mostVain && placement.movedCount > 0 && work.spent < mayUse; vain += 1) {
    sendHome(searcher, random);
    goesOn = searcher.run(budget, true);
    const { value } = searcher;
    if (value < best.value - equalWithin && searcher.isKept()) {
      best = { budget, host: placement.host.slice(), value };
      vain = -1;
      tell();
    } else {
      restore(searcher, best.host);
    }
  }
  return best;
}

/** Returns some of the moved instances to their initial hosts, as far as the model allows. */
function sendHome(searcher: Searcher, random: RandomSource): void {
  const { placement } = searcher;
  const away = placement.movedItems.slice(0, placement.movedCount);
  const part = random() * largestPart;
  let isAnyBack = false;
  for (const [index, item] of away.entries()) {
    const isLast = index === away.length - 1;
    if (random() >= part && !(isLast && !isAnyBack)) continue;
    const home = placement.problem.home[item]!;
    if (!searcher.admits(item, home)) continue;
    searcher.move(item, home);
    isAnyBack = true;
  }
}

/** Puts every item on its host of a placement that was possible before, without a check. */
function restore(searcher: Searcher, host: Int32Array): void {
  host.forEach((to, item) => {
    if (searcher.placement.host[item] !== to) searcher.move(item, to);
  });
}
