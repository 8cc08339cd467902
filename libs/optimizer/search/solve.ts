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
  /** Price of blocked room (0 to about 0.3); helps where transient columns hold many moves up, harms where they do not. Default 0. */
  blockedPrice?: number;
  /** Placement to begin with; default: all at home. With it the search begins cooler, so that it keeps most of it. */
  start?: ArrayLike<number>;
  /** Is told of better placements while the search goes on. */
  onBest?: (best: Best) => void;
}

/** Up to this many items one annealing scatters widely: several short ones, then more of the best. */
const fewItems = 2500;
const shortAnnealings = [0.25, 0.5];
const polishFrom = 0.985;

const startFactor = { few: 30, many: 10 };
/** Temperatures in parts of the first one: where the course aims at first, the hottest end, the coolest, a warm start. */
const parts = { aim: 5e-5, hottestEnd: 1e-3, coolestEnd: 1e-8, warm: 1 / 20 };
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
  private readonly hottest: number;
  private told: number;

  constructor(problem: Problem, options: SolveOptions) {
    this.options = options;
    this.placement = new Placement(problem, options.start);
    this.best = new Best(this.placement.host, this.placement.objective());
    this.around = new Neighbourhood(this.placement, new Random(options.seed));
    this.bound = immovablePartBound(problem);
    const factor = problem.items > fewItems ? startFactor.many : startFactor.few;
    this.hottest = (factor * (this.best.value - this.bound)) / Math.max(1, problem.items);
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

  anneal(warmth: number, progress: Progress): void {
    const from = this.hottest * warmth;
    const { problem } = this.placement;
    const end = () => {
      const fitting = (endFactor * (this.best.value - this.bound)) / problem.items;
      return Math.max(parts.coolestEnd * this.hottest, Math.min(parts.hottestEnd * this.hottest, fitting));
    };
    const to = Math.min(from, parts.aim * this.hottest);
    const guidance = problem.terms === null ? 0 : fullGuidance;
    const course: AnnealingCourse = { from, to, end, blockedPrice: this.options.blockedPrice ?? 0, guidance };
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
  const warmth = options.start === undefined ? 1 : parts.warm;
  let begin = 0;
  if (problem.items <= fewItems)
    for (const end of shortAnnealings) {
      search.restart(options.start ?? problem.home);
      search.anneal(warmth, search.stage(begin, end));
      begin = end;
    }
  if (begin > 0) search.restart(search.best.host);
  search.anneal(begin > 0 ? parts.warm : warmth, search.stage(begin, polishFrom));
  search.polish();
  options.onBest?.(search.best);
  return search.best;
}
