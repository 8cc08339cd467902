import { expect, test } from 'vitest';
import { run } from './main.ts';

test.each([
  [['version', '--nope'], 2],
  [['purge', '--nope'], 2],
  [['nope'], 2],
  [['version', '--help'], 0],
])('vigil db %j ends with %i, and leaves the process to its caller', async (args, exitCode) => {
  expect(await run(args)).toBe(exitCode);
});
