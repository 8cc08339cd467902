import type { DurationEstimate, DurationModel } from './fit-durations.ts';
import type { PlanProgress, PlanShape } from './plan-shape.ts';
import { createPlanPlayer, type ParallelLimits } from './play-plan.ts';
import { drawNormal, normalQuantile } from './random-draws.ts';

/** Seconds, 10th to 90th percentile. */
interface SecondsRange {
  low: number;
  high: number;
}

/** Source of the duration of a plan. */
interface EstimateSource {
  /** Measured actions of the kinds that the plan has. */
  measured: number;
  /** Kinds of the plan of which nothing was measured: for them the default guess counts. */
  guessed: string[];
}

/** Nothing of a plan has started. */
export const nothingStarted: PlanProgress = { ended: new Set(), runningSeconds: new Map() };

/** The expected duration of a plan. */
export interface PlanEstimate {
  seconds: SecondsRange;
  source: EstimateSource;
}

/** Plays of a plan, and of a large one. */
const usualDraws = 25;
const largeDraws = 9;
const largePlan = 1500;
/** Share of its estimate that an action still takes at least, which runs longer than estimated. */
const leastLeft = 0.1;

/**
 * Estimates the remaining time of a plan. It plays the plan several times through its graph, within `limits`, with
 * durations drawn from the models of their kinds. The draws are the same in every call, so the same plan and models
 * give the same range. With `nothingStarted` it is the duration of the whole plan.
 */
export function estimatePlan(
  shape: PlanShape,
  models: ReadonlyMap<string, DurationModel>,
  { limits, progress }: { limits: ParallelLimits; progress: PlanProgress },
): PlanEstimate {
  const estimates = estimatesOf(shape, models);
  const draws = shape.uuids.length > largePlan ? largeDraws : usualDraws;
  const play = createPlanPlayer(shape, limits, progress);
  const hasProgress = progress.ended.size + progress.runningSeconds.size > 0;
  const lengths: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const shared = normalQuantile((draw + 0.5) / draws);
    const seconds = estimates.map(({ median, sharedDeviation, ownDeviation }, at) => {
      const drawn = median * Math.exp(shared * sharedDeviation + drawNormal(draw, at) * ownDeviation);
      return hasProgress ? leftOf(drawn, shape.uuids[at] ?? '', progress) : drawn;
    });
    lengths.push(play(seconds));
  }
  lengths.sort((left, right) => left - right);
  return {
    seconds: { low: percentile(lengths, 0.1), high: percentile(lengths, 0.9) },
    source: sourceOf(shape, models),
  };
}

/** Median seconds of each action, in the order of the shape. */
export function medianSeconds(shape: PlanShape, models: ReadonlyMap<string, DurationModel>): number[] {
  return estimatesOf(shape, models).map(({ median }) => median);
}

function estimatesOf(shape: PlanShape, models: ReadonlyMap<string, DurationModel>): DurationEstimate[] {
  return shape.uuids.map((_, at) => {
    const own = shape.ownSeconds[at] ?? Number.NaN;
    if (!Number.isNaN(own)) return { median: own, sharedDeviation: 0, ownDeviation: 0 };
    const size = shape.sizes[at] ?? Number.NaN;
    const model = models.get(shape.kinds[shape.kindOf[at] ?? 0] ?? '');
    if (!model) throw new TypeError('a kind of the plan has no model');
    return model.estimate(Number.isNaN(size) ? null : size);
  });
}

function leftOf(seconds: number, uuid: string, { ended, runningSeconds }: PlanProgress): number {
  if (ended.has(uuid)) return 0;
  return Math.max(seconds - (runningSeconds.get(uuid) ?? 0), leastLeft * seconds);
}

function percentile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}

function sourceOf(
  { kinds, kindOf, ownSeconds }: PlanShape,
  models: ReadonlyMap<string, DurationModel>,
): EstimateSource {
  const isEstimated = kinds.map((_, kind) => kindOf.some((of, at) => of === kind && Number.isNaN(ownSeconds[at])));
  const counts = kinds.map((kind, at) => (isEstimated[at] ? (models.get(kind)?.samples ?? 0) : null));
  return {
    measured: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    guessed: kinds.filter((_, at) => counts[at] === 0).sort(),
  };
}
