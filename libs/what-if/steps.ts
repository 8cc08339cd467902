import { setImmediate as turn } from 'node:timers/promises';

/** A computation in steps: it yields often, so that its caller can serve others between, or end it. */
export type Steps<Result> = Generator<void, Result>;

/** Runs a computation to its end at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Milliseconds of a computation before others have their turn. */
const sliceMs = 15;

/** Runs a computation in slices, so that the process serves others between. Rejects with the reason of the signal. */
export async function runInTurns<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
  let sinceMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - sinceMs < sliceMs) continue;
    await turn();
    signal.throwIfAborted();
    sinceMs = performance.now();
  }
}
