/** A computation in steps: it yields often, so that its caller can serve others between, or end it. */
export type Steps<Result> = Generator<void, Result>;

/** Runs a computation to its end at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
