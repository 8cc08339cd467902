import { mergedHostBound } from '../bounds/merged-host.ts';
import { Placement } from '../kernel/placement.ts';
import { Random } from '../kernel/random.ts';
import type { Problem } from '../problem/problem.ts';
import { anneal, Best, type Progress } from './anneal.ts';
import { MoveMix } from './move-mix.ts';
import { Neighbourhood } from './neighbourhood.ts';

/** How to search. */
export interface SolveOptions {
  /** The same problem, options and course of `progress` give the same placement. */
  seed: number;
  progress: Progress;
  /** Price of blocked room (0 to about 0.3); helps where transient columns hold many moves up, harms where they do not. Default 0. */
  blockedPrice?: number;
  /** Is told of better placements while the search goes on. */
  onBest?: (best: Best) => void;
}

const startFactor = 10;
const coolest = 1e-4;

/** Searches for a better placement from home. The answer is never worse than that. */
export function solve(problem: Problem, { seed, progress, blockedPrice = 0, onBest }: SolveOptions): Best {
  const placement = new Placement(problem);
  const best = new Best(placement.host, placement.objective());
  const gap = best.value - mergedHostBound(problem);
  const around = new Neighbourhood(placement, new Random(seed));
  if (gap <= 0 || around.order.length === 0) return best;
  let told = best.value;
  const telling: Progress = (evaluations) => {
    if (best.value < told) onBest?.(best);
    told = best.value;
    return progress(evaluations);
  };
  const from = (startFactor * gap) / problem.items;
  anneal(around, new MoveMix(), { from, to: from * coolest, blockedPrice }, telling, best);
  onBest?.(best);
  return best;
}
