import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Runs `close` when its scope ends, last registered first. In a test or `beforeEach` the scope is that test. At the top
 * of a file, or in a `describe`, it is the file or the `describe`. Not for `beforeAll`, where Vitest ignores new hooks.
 */
export function atEnd(close: () => unknown): void {
  const run = async () => {
    await close();
  };
  if (TestRunner.getCurrentTest()) onTestFinished(run);
  else afterAll(run);
}
