import { immovablePartBound } from '../bounds/immovable-part.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import type { Problem } from '../problem/problem.ts';
import { type AnnealingCourse, anneal, type Progress } from './anneal.ts';
import { Best } from './best.ts';
import { MoveMix } from './move-mix.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { polish } from './polish.ts';

/** How to search. */
export interface SolveOptions {
  /** The same problem, options and course of `progress` give the same placement. */
  seed: number;
  progress: Progress;
  /**
   * Price of blocked room (0 to about 0.3); helps where transient columns hold many moves up, harms where they do not. Default 0. Few
   * items have soft room instead.
   */
  blockedPrice?: number;
  /** Placement to begin with; default: all at home. With it the search begins cooler, so that it keeps most of it. */
  start?: ArrayLike<number>;
  /** Is told of better placements while the search goes on. */
  onBest?: (best: Best) => void;
}

/** Up to this many items pass each other above the limits of hosts, all sizes at once; of more the large ones go first. */
const fewItems = 2500;
/** Few items anneal until here, and then again from the best until each of the others: single courses scatter widely. */
const annealings = [0.4, 0.6, 0.8];
const polishFrom = 0.985;

/**
 * Temperatures: the hottest, that of a warm start, where the course aims at first, the hottest and the coolest end. Behind walls in what
 * can be gained per item, with soft room in what an item costs in a column, which may be at most so many times the former.
 */
const walls = { from: 10, warm: 0.5, aim: 5e-4, hottestEnd: 0.01, coolestEnd: 1e-7 };
const soft = { from: 2.8, warm: 0.3, aim: 0.03, hottestEnd: 0.03, coolestEnd: 3e-7 };
const mostGains = 20;
const softRoom = { roomPrices: { from: 5, to: 60 }, sizeFactor: 0 };
/** The course ends at so much of the gain per item that is left. */
const endFactor = 0.2;
const fullGuidance = 0.5;

/** One search: what its stages share. */
class Search {
  readonly best: Best;
  readonly around: Neighbourhood;
  readonly mix = new MoveMix();
  private readonly placement: Placement;
  private readonly options: SolveOptions;
  private readonly bound: number;
  /** Unit of temperatures. */
  private readonly unit: number;
  private readonly isSoft: boolean;
  private told: number;

  constructor(problem: Problem, options: SolveOptions) {
    this.options = options;
    this.placement = new Placement(problem, options.start);
    this.best = new Best(this.placement.host, this.placement.objective());
    this.around = new Neighbourhood(this.placement, new Random(options.seed));
    this.bound = immovablePartBound(problem);
    this.isSoft = problem.items <= fewItems && problem.terms === null && this.placement.isWithinLimits();
    const gainPerItem = (this.best.value - this.bound) / Math.max(1, problem.items);
    const { itemCost } = this.placement.softRoom;
    this.unit = this.isSoft && itemCost > 0 ? Math.min(itemCost, mostGains * gainPerItem) : gainPerItem;
    this.told = this.best.value;
  }

  /** Nothing can be gained, or nothing moves. */
  get isSettled(): boolean {
    return this.best.value <= this.bound || this.around.order.length === 0;
  }

  /** Progress of a stage of the whole: from `begin` to `end` of the budget. Tells of what was found. */
  stage(begin: number, end: number): Progress {
    return (evaluations) => {
      const { best } = this;
      if (best.value < this.told) this.options.onBest?.(best);
      this.told = best.value;
      if (best.value <= this.bound) return 1;
      return (this.options.progress(evaluations) - begin) / (end - begin);
    };
  }

  /** One course; the last one is behind walls, where it looks at more moves. */
  anneal(isWarm: boolean, isLast: boolean, progress: Progress): void {
    const { problem } = this.placement;
    const { unit, isSoft } = this;
    const temperatures = isSoft ? soft : walls;
    const from = unit * (isWarm ? temperatures.warm : temperatures.from);
    const end = () => {
      const fitting = (endFactor * (this.best.value - this.bound)) / problem.items;
      return Math.max(temperatures.coolestEnd * unit, Math.min(temperatures.hottestEnd * unit, fitting));
    };
    const course: AnnealingCourse = {
      from,
      to: Math.min(from, temperatures.aim * unit),
      end,
      blockedPrice: isSoft ? 0 : (this.options.blockedPrice ?? 0),
      guidance: problem.terms === null ? 0 : fullGuidance,
      ...(isSoft && !isLast ? softRoom : {}),
    };
    anneal(this.around, this.mix, course, progress, this.best);
  }

  restart(host: ArrayLike<number>): void {
    this.placement.restore(host);
  }

  /** Improves the best one to where no single shift does. */
  polish(): void {
    this.restart(this.best.host);
    polish(this.around, this.stage(0, 1));
    this.best.offer(this.placement.host, this.placement.objective());
  }
}

/** Searches for a better placement. The answer is never worse than the start. */
export function solve(problem: Problem, options: SolveOptions): Best {
  const search = new Search(problem, options);
  if (search.isSettled) return search.best;
  const isWarm = options.start !== undefined;
  let begin = 0;
  for (const end of problem.items <= fewItems ? annealings : []) {
    search.anneal(isWarm || begin > 0, false, search.stage(begin, end));
    search.restart(search.best.host);
    begin = end;
  }
  search.anneal(isWarm || begin > 0, true, search.stage(begin, polishFrom));
  search.polish();
  options.onBest?.(search.best);
  return search.best;
}
