import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import { startPeriodic } from './periodic.ts';

test('runs again after a failure, never concurrently, and ends', async () => {
  let runs = 0;
  let busy = 0;
  let most = 0;
  const periodic = startPeriodic({
    name: 'test',
    everyMs: 1,
    logger: silentLogger,
    async run() {
      runs += 1;
      most = Math.max(most, ++busy);
      await turn();
      busy -= 1;
      if (runs === 1) throw new Error('first one fails');
    },
  });

  await expect.poll(() => runs).toBeGreaterThan(2);
  await periodic.stop();
  const ended = runs;
  // Another one runs several times in the same while.
  let others = 0;
  const other = startPeriodic({ name: 'other', everyMs: 1, logger: silentLogger, run: async () => void others++ });
  await expect.poll(() => others).toBeGreaterThan(5);
  await other.stop();

  expect(runs).toBe(ended);
  expect(most).toBe(1);
});

test('a fault that lasts is one warning, and a single failure is none', async () => {
  const levels: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: () => void levels.push('info'),
    warn: () => void levels.push('warn'),
  };
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs !== 2) throw new Error('unavailable');
  };
  const periodic = startPeriodic({ name: 'test', everyMs: 1, logger, run });
  await expect.poll(() => runs).toBeGreaterThan(7);
  await periodic.stop();
  expect(levels.slice(0, 5)).toEqual(['info', 'info', 'info', 'warn', 'info']);
});

test('wake ends the pause', async () => {
  let runs = 0;
  const periodic = startPeriodic({
    name: 'test',
    everyMs: 3_600_000,
    logger: silentLogger,
    run: async () => void runs++,
  });
  await expect.poll(() => runs).toBe(1);

  periodic.wake();

  await expect.poll(() => runs).toBe(2);
  await periodic.stop();
});
