import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { startPeriodic } from './periodic.ts';

const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('runs again after a failure, never twice at once, and ends', async () => {
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
      await tick(3);
      busy -= 1;
      if (runs === 1) throw new Error('first one fails');
    },
  });

  await expect.poll(() => runs).toBeGreaterThan(2);
  await periodic.stop();
  const ended = runs;
  await tick(20);

  expect(runs).toBe(ended);
  expect(most).toBe(1);
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
