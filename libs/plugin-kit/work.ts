import type { JsonObject, SearchEnd } from '#libs/domain';

/**
 * Units of work for each second of a search's time limit: on the safe side, so that the work ends a search and not the
 * clock.
 */
const workPerSecond = 1_000_000;

/** Time limit of a search whose strategy has no parameter `time_limit`, in seconds. */
const usualTimeLimitSeconds = 10;

/** Values of the shared-memory word that requests a run to end with its best result. */
export const stopSignal = { goOn: 0, clock: 1, request: 2 } as const;

/** Results of a search so far, for waiting users. */
export interface SearchProgress {
  /** Value of the best result, least is best. Its unit is the strategy's. */
  value: number;
  /** No result can be below it. Default: not known. */
  bound?: number;
  /** Moves of the best result. */
  moves?: number;
}

/**
 * The budget of a search. It is work and not time: the same snapshot, parameters and seed give the same result on any
 * machine. A search spends a unit for about each move that it checks, and ends when `spend` returns false.
 */
export interface StrategyWork {
  /** Units in all: the parameter `time_limit` (seconds, default 10) × 1,000,000. */
  readonly total: number;
  /** Units that were spent. */
  readonly spent: number;
  /** Number of this start, from 0. See `starts` of the manifest. */
  readonly start: number;
  /** Spends units. False when the search has to end: the work is done, or `finishing`. */
  spend(units: number): boolean;
  /**
   * Whether the best result so far is wanted now: at 80 % of the hard time limit, or on request. A run that continues
   * is killed at the limit and all of it is lost.
   */
  finishing(): boolean;
  /** Why `spend` said no. Null while it has not. */
  endedBy(): Exclude<SearchEnd, 'bound' | 'converged'> | null;
  /** Reports the results so far. Cheap, may be called at any time. */
  report(best: SearchProgress): void;
}

/** Source of the work of a run. */
export interface WorkOptions {
  /** Default: that of a search without a parameter `time_limit`. */
  total?: number;
  /** Default 0. */
  start?: number;
  /** One element on shared memory that the parent sets to a value of `stopSignal`. Default: no early end. */
  word?: Int32Array;
  /** Receives the units that were spent. Default: no receiver. */
  onReport?(best: SearchProgress, spent: number): void;
}

/** Units of work of a search with these parameters, see `StrategyWork.total`. */
export function workOf({ time_limit: seconds }: JsonObject): number {
  return (typeof seconds === 'number' ? seconds : usualTimeLimitSeconds) * workPerSecond;
}

/** The budget of a search that has not started. */
export function createStrategyWork(options: WorkOptions = {}): StrategyWork {
  const { total = workOf({}), start = 0, word = new Int32Array(1) } = options;
  let spent = 0;
  let ended: ReturnType<StrategyWork['endedBy']> = null;
  const finishing = () => Atomics.load(word, 0) !== stopSignal.goOn;
  return {
    total,
    start,
    get spent() {
      return spent;
    },
    spend(units) {
      spent += units;
      if (ended === null) {
        if (spent >= total) ended = 'work';
        else if (finishing()) ended = Atomics.load(word, 0) === stopSignal.clock ? 'clock' : 'request';
      }
      return ended === null;
    },
    finishing,
    endedBy: () => ended,
    report: (best) => options.onReport?.(best, spent),
  };
}
