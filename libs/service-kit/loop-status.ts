import { type Clock, messageOf } from '#libs/domain';

/** One run of a loop. */
export interface LoopRun {
  /** Such as `outbox sweep`. */
  name: string;
  /** Pause between two runs in milliseconds. */
  everyMs: number;
  tookMs: number;
  /** The error. Null after a success. */
  error: unknown;
}

/** Status of a loop of this process. */
export interface LoopState extends Omit<LoopRun, 'error'> {
  /** End of the last run. */
  lastRunAt: Date;
  /** Number of consecutive failed runs. */
  failures: number;
  /** The error of the last run. Null after a success. */
  lastError: string | null;
}

/** The loops of a process that operators can see. */
export interface LoopStatus {
  note(run: LoopRun): void;
  /** By name. */
  list(): LoopState[];
}

const longestError = 500;

/** Creates an empty register. */
export function createLoopStatus(clock: Clock): LoopStatus {
  const states = new Map<string, LoopState>();
  return {
    note({ name, everyMs, tookMs, error }) {
      const failed = error !== null;
      states.set(name, {
        name,
        everyMs,
        tookMs: Math.round(tookMs),
        lastRunAt: new Date(clock.now()),
        failures: failed ? (states.get(name)?.failures ?? 0) + 1 : 0,
        lastError: failed ? messageOf(error).slice(0, longestError) : null,
      });
    },
    list: () => [...states.values()].sort((one, other) => one.name.localeCompare(other.name)),
  };
}
