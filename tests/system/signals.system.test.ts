import { expect, it } from 'vitest';
import { startVigil } from './vigil-process.ts';

it.each([
  ['SIGTERM', 0],
  ['SIGHUP', 129],
] as const)('%s stops a process in order, with exit code %i', async (signal, exitCode) => {
  const simulator = await startVigil(['simulator', '--port', '0', '--backfill-minutes', '0'], {});
  expect(await simulator.stop(signal)).toBe(exitCode);
  expect(simulator.output()).toContain(`"reason":"${signal}"`);
});
