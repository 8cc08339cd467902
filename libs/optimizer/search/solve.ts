import { immovablePartBound } from '../bounds/immovable-part.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import { Neighbourhood } from '../moves/neighbourhood.ts';
import type { Problem } from '../problem/problem.ts';
import { reachOf } from '../problem/reach.ts';
import { type AnnealingSchedule, anneal, type Progress } from './anneal.ts';
import { Best } from './best.ts';
import { MoveMix } from './move-mix.ts';
import { polish } from './polish.ts';
import { Rounds, type Team } from './team.ts';

/** How to search. */
export interface SolveOptions {
  /** The same problem, options and values of `progress` give the same placement. */
  seed: number;
  progress: Progress;
  /**
   * Price of blocked room (0 to about 0.3). Helps where transient columns hold many moves up, harms where they do not.
   * Default 0. Few items have soft room instead.
   */
  blockedPrice?: number;
  /**
   * Price of an item off its home, in temperatures (0 to about 3), which vanishes with them. Without it, items
   * wander while it is warm, and do not return home. Helps where nearly all possible gain is reached, so that moves
   * remain. Harms where room stays tight. Default 0.
   */
  pull?: number;
  /**
   * Few items: number of short runs from the start, of which the best continues. Where few large items decide, runs
   * end at very different costs. Default 1.
   */
  runs?: number;
  /** Placement to start with. Default: all at home. With it the search starts cooler, so that it keeps most of it. */
  start?: ArrayLike<number>;
  /** Other searches of the same problem at the same time. For more than 2,500 items, if `canShare` holds. */
  team?: Team;
  /** Receives better placements while the search continues. */
  onBest?: (best: Best) => void;
}

/**
 * Up to this many items pass each other above the limits of hosts, all sizes at once. Of more, large items move first.
 */
const fewItems = 2500;
/** Fraction of the budget up to which few items anneal with soft room. Limits are hard afterwards. */
const softUntil = 0.8;
/** Fraction of the budget for several runs from the start. */
const runsUntil = 0.6;
const polishFrom = 0.985;

/**
 * Temperatures: the hottest, that of a warm start, the first target of the run, the hottest and the coolest end.
 * The unit with hard limits is the possible gain per item. With soft room it is the cost of an item in a column, at
 * most `mostGains` times the former.
 */
const hard = { from: 10, warm: 0.5, aim: 5e-4, hottestEnd: 0.01, coolestEnd: 1e-7 };
const soft = { from: 2.8, warm: 0.3, aim: 0.03, hottestEnd: 0.03, coolestEnd: 3e-7 };
const mostGains = 20;
/**
 * Where less than this part of the gain remains, a warm start is no hotter than that part of the remaining gain.
 * Otherwise it would destroy the result so far.
 */
const near = { left: 1e-3, warm: 0.05 };
const softRoom = { roomPrices: { from: 1, to: 10 }, sizeFactor: 0 };
/** End temperature, as a fraction of the remaining gain per item. */
const endFactor = 0.2;
const fullGuidance = 0.5;

/** One search: the shared state of its stages. */
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
  private readonly start: number;
  private reported: number;

  constructor(problem: Problem, options: SolveOptions) {
    this.options = options;
    const reach = problem.items <= fewItems ? reachOf(problem) : null;
    this.placement = new Placement(problem, options.start, reach);
    this.best = new Best(this.placement.host, this.placement.objective());
    this.around = new Neighbourhood(this.placement, new Random(options.seed));
    this.bound = immovablePartBound(problem, this.placement.stuck);
    this.isSoft = problem.items <= fewItems && problem.terms === null && this.placement.isWithinLimits();
    const gainPerItem = (this.best.value - this.bound) / Math.max(1, problem.items);
    const { itemCost } = this.placement.softRoom;
    this.unit = this.isSoft && itemCost > 0 ? Math.min(itemCost, mostGains * gainPerItem) : gainPerItem;
    this.start = this.best.value;
    this.reported = this.start;
  }

  /** Nothing can be gained, or nothing moves. */
  get isSettled(): boolean {
    return this.best.value <= this.bound || this.around.order.length === 0;
  }

  /** Progress of one stage: from `begin` to `end` of the budget. Reports found placements. */
  stage(begin: number, end: number): Progress {
    return (evaluations) => {
      const { best } = this;
      if (best.value < this.reported) this.options.onBest?.(best);
      this.reported = best.value;
      if (best.value <= this.bound) return 1;
      return (this.options.progress(evaluations) - begin) / (end - begin);
    };
  }

  /** One run. The last one has hard limits, with which it checks more moves. */
  anneal(isWarm: boolean, isLast: boolean, progress: Progress): void {
    const { problem } = this.placement;
    const { unit, isSoft } = this;
    const temperatures = isSoft ? soft : hard;
    const from = isWarm ? this.warmth(unit * temperatures.warm) : unit * temperatures.from;
    const end = () => {
      const fitting = (endFactor * (this.best.value - this.bound)) / problem.items;
      return Math.max(temperatures.coolestEnd * unit, Math.min(temperatures.hottestEnd * unit, fitting));
    };
    const schedule: AnnealingSchedule = {
      from,
      to: Math.min(from, temperatures.aim * unit),
      end,
      blockedPrice: isSoft ? 0 : (this.options.blockedPrice ?? 0),
      pull: isSoft ? 0 : (this.options.pull ?? 0),
      guidance: problem.terms === null ? 0 : fullGuidance,
      ...(isSoft && !isLast ? softRoom : {}),
      // Rounds end with an offer of the placement, which soft room allows above limits.
      ...(isLast && this.options.team !== undefined ? { rounds: new Rounds(this.around, this.options.team) } : {}),
    };
    anneal(this.around, this.mix, schedule, progress, this.best);
  }

  /** Runs with soft room, until limits become hard. The placement is then the best one. */
  annealSoftly(isWarm: boolean, runs: number): void {
    const start = this.best.host.slice();
    const until = runs > 1 ? runsUntil : softUntil;
    for (let run = 0; run < runs; run += 1) {
      this.restart(start);
      this.anneal(isWarm, false, this.stage((until * run) / runs, (until * (run + 1)) / runs));
    }
    this.restart(this.best.host);
    if (until === softUntil) return;
    this.anneal(true, false, this.stage(until, softUntil));
    this.restart(this.best.host);
  }

  private warmth(usual: number): number {
    const left = this.best.value - this.bound;
    return left < near.left * (this.start - this.bound) ? Math.min(usual, near.warm * left) : usual;
  }

  restart(host: ArrayLike<number>): void {
    this.placement.restore(host);
  }

  /** Improves the best placement until no single shift reduces its cost. */
  polish(): void {
    this.restart(this.best.host);
    polish(this.around, this.stage(0, 1));
    this.best.offer(this.placement.host, this.placement.objective());
  }
}

/** Searches for a better placement. The result is never worse than the start. */
export function solve(problem: Problem, options: SolveOptions): Best {
  const search = new Search(problem, options);
  if (search.isSettled) return search.best;
  const isWarm = options.start !== undefined;
  const begin = problem.items <= fewItems ? softUntil : 0;
  if (begin > 0) search.annealSoftly(isWarm, options.runs ?? 1);
  search.anneal(isWarm || begin > 0, true, search.stage(begin, polishFrom));
  if ((options.team?.index ?? 0) === 0) search.polish();
  options.onBest?.(search.best);
  return search.best;
}
