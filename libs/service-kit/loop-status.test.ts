import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createLoopStatus } from './loop-status.ts';
import { startPeriodic } from './periodic.ts';

test('the book says how each loop stands after its last run', async () => {
  let now = 1_000;
  const loops = createLoopStatus({ now: () => now });
  const outcomes = [new Error('away'), new Error('still away'), null];
  const states: unknown[] = [];
  await new Promise<void>((resolve) => {
    const periodic = startPeriodic({
      name: 'sweep',
      everyMs: 1,
      logger: silentLogger,
      loops: {
        note(run) {
          now += 1_000;
          loops.note(run);
          const [{ failures, lastError, lastRunAt }] = loops.list() as [ReturnType<typeof loops.list>[number]];
          states.push([failures, lastError, lastRunAt.getTime()]);
          if (states.length === 3) void periodic.stop().then(resolve);
        },
      },
      run: async () => {
        const failure = outcomes.shift();
        if (failure) throw failure;
      },
    });
  });
  expect(states).toEqual([
    [1, 'away', 2_000],
    [2, 'still away', 3_000],
    [0, null, 4_000],
  ]);
});
