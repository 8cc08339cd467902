import { expect, test } from 'vitest';
import { run } from './main.ts';

// 1 and 2 are results of the checks.
test.each([
  [['upgrade-check', '--nope'], 255],
  [['upgrade', 'check', '--nope'], 255],
  [['nope'], 255],
  [['upgrade-check', '--help'], 0],
])('vigil status %j ends with %i, and leaves the process to its caller', async (args, exitCode) => {
  expect(await run(args)).toBe(exitCode);
});
