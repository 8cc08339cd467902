import { type DurationLine, defaultGuess } from './default-guess.ts';
import { type DurationKind, durationKind, isSized } from './duration-kind.ts';

/** A finished action: how long it took, and how large the instance or volume was. */
export interface DurationSample {
  kind: DurationKind;
  seconds: number;
  /** MiB of memory, GiB of a volume. Null where it is not known, or the kind has no size. */
  size: number | null;
}

/** Distribution of the duration of an action: log-normal. */
export interface DurationEstimate {
  /** Median in seconds. */
  median: number;
  /** Standard deviation of the logarithm that all actions of the kind share: the uncertainty of the median. */
  sharedDeviation: number;
  /** Standard deviation of the logarithm from one action to another. */
  ownDeviation: number;
}

/** Fitted durations of one kind. */
export interface DurationModel {
  /** Number of measured actions in the fit. */
  samples: number;
  /** Medians by size. */
  line: DurationLine;
  estimate(size: number | null): DurationEstimate;
}

/** Weight of the default guess in measured actions. Its slope weighs as many whose sizes differ by a factor e. */
const guessWeight = 4;
const slopeWeight = 12;
/** Standard deviation of the logarithm of durations in the default guess, and its weight in measured actions. */
const guessDeviation = 0.6;
const deviationWeight = 6;
/** Shorter durations count as equal, since actions end at a poll. */
const leastSeconds = 0.5;

/**
 * Bayesian linear regression of the logarithm of the duration on the logarithm of the size, with the conjugate
 * normal-inverse-gamma prior (Gelman et al., Bayesian Data Analysis, chapter 14). The prior is the default guess. One
 * sample more moves the median by at most 1 / (samples + 4) of its distance in logarithms, so an estimate changes
 * smoothly, and only with new samples.
 */
export function fitDurations(kind: DurationKind, samples: readonly DurationSample[]): DurationModel {
  const guess = defaultGuess(kind);
  const posterior = posteriorOf(
    guess,
    samples.map(({ seconds, size }) => [
      isSized(kind) ? logSize(size, guess) : 0,
      Math.log(Math.max(leastSeconds, seconds)),
    ]),
  );
  return {
    samples: samples.length,
    line: {
      seconds: Math.exp(posterior.intercept),
      size: guess.size,
      slope: isSized(kind) ? posterior.slope : 0,
    },
    estimate(size) {
      const x = isSized(kind) ? logSize(size, guess) : 0;
      const { intercept, slope, variance, covariance: v } = posterior;
      return {
        median: Math.exp(intercept + slope * x),
        sharedDeviation: Math.sqrt(variance * Math.max(0, v[0] + 2 * x * v[1] + x * x * v[2])),
        ownDeviation: Math.sqrt(variance),
      };
    },
  };
}

/** Newest finished actions of each kind that estimates use. */
export const samplesPerKind = 200;

/** A finished action, by its type. */
export interface TimedSample extends Omit<DurationSample, 'kind'> {
  actionType: string;
  /** `live` and so on. Null for actions that are not migrations. */
  migrationType: string | null;
}

/**
 * Models of kinds, from the newest finished actions of each.
 * @param finished the oldest first
 */
export function fitKinds(
  kinds: readonly DurationKind[],
  finished: readonly TimedSample[],
): Map<DurationKind, DurationModel> {
  const samples = finished.map(({ actionType, migrationType, seconds, size }) => ({
    kind: durationKind(actionType, migrationType),
    seconds,
    size,
  }));
  const ofKind = (kind: DurationKind) => samples.filter((sample) => sample.kind === kind).slice(-samplesPerKind);
  return new Map(kinds.map((kind) => [kind, fitDurations(kind, ofKind(kind))]));
}

/** Logarithm of a size over the usual one; 0 where it is not known. */
function logSize(size: number | null, guess: DurationLine): number {
  return size === null || size <= 0 ? 0 : Math.log(size / guess.size);
}

interface Posterior {
  intercept: number;
  slope: number;
  /** Of the logarithm of a duration about its mean. */
  variance: number;
  /** Of intercept and slope over `variance`: the elements (0,0), (0,1) and (1,1). */
  covariance: [number, number, number];
}

function posteriorOf(guess: DurationLine, points: readonly (readonly [x: number, y: number])[]): Posterior {
  const [a0, b0] = [Math.log(guess.seconds), guess.slope];
  // Precision matrix of the prior plus X'X, and the prior's part of the right side plus X'y.
  let [p00, p01, p11] = [guessWeight, 0, slopeWeight];
  let [r0, r1] = [guessWeight * a0, slopeWeight * b0];
  for (const [x, y] of points) {
    p00 += 1;
    p01 += x;
    p11 += x * x;
    r0 += y;
    r1 += x * y;
  }
  const determinant = p00 * p11 - p01 * p01;
  const covariance: Posterior['covariance'] = [p11 / determinant, -p01 / determinant, p00 / determinant];
  const intercept = covariance[0] * r0 + covariance[1] * r1;
  const slope = covariance[1] * r0 + covariance[2] * r1;
  // From the samples alone: a wrong guess must not raise the deviation of the actions.
  const residual = points.reduce((sum, [x, y]) => sum + (y - intercept - slope * x) ** 2, 0);
  const weight = deviationWeight + points.length;
  const variance = (deviationWeight * guessDeviation ** 2 + residual) / weight;
  return { intercept, slope, variance, covariance };
}
