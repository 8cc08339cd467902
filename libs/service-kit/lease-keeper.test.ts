import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LeaseLostError, silentLogger } from '#libs/domain';
import { createLeaseKeeper } from './lease-keeper.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

function keep(renew: () => Promise<boolean>) {
  return createLeaseKeeper({ resource: 'plan p', ttlMs: 30_000, renew, logger: silentLogger });
}

test('renews well before the end', async () => {
  const renew = vi.fn(async () => true);
  const keeper = keep(renew);

  await vi.advanceTimersByTimeAsync(60_000);

  expect(renew.mock.calls.length).toBeGreaterThanOrEqual(6);
  expect(keeper.lost.aborted).toBe(false);
  await keeper.stop();
});

test('a refused renewal loses the lease, and guard throws', async () => {
  const keeper = keep(async () => false);

  await vi.advanceTimersByTimeAsync(10_000);

  expect(keeper.lost.aborted).toBe(true);
  await expect(keeper.guard()).rejects.toThrow(LeaseLostError);
  await keeper.stop();
});

test('says whether an outage was to blame', async () => {
  const away = new Error('connection refused');
  const failing = keep(() => Promise.reject(away));
  const hanging = keep(() => new Promise(() => undefined));
  const refused = keep(async () => false);

  await vi.advanceTimersByTimeAsync(40_000);
  await expect(hanging.guard()).rejects.toThrow(LeaseLostError);

  const causes = [failing, hanging, refused].map(({ lost }) => (lost.reason as Error).cause);
  expect(causes).toEqual([away, new Error('no response to renewals'), undefined]);
  await Promise.all([failing.stop(), refused.stop()]);
});

test('outlives a short outage of the database, but not one as long as the lease', async () => {
  let away = true;
  const keeper = keep(async () => {
    if (away) throw new Error('connection refused');
    return true;
  });

  await vi.advanceTimersByTimeAsync(20_000);
  expect(keeper.lost.aborted).toBe(false);
  away = false;
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(keeper.guard()).resolves.toBeUndefined();

  away = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(keeper.lost.aborted).toBe(true);
  await keeper.stop();
});

test('a process that was frozen beyond its margin renews before it acts, and stops when that is refused', async () => {
  const responses = [true, false];
  const keeper = keep(async () => responses.shift() ?? false);
  // The clock jumps without any timer having fired, as after SIGSTOP and SIGCONT.
  vi.setSystemTime(Date.now() + 25_000);
  const frozen = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => frozen() + 25_000);

  await expect(keeper.guard()).resolves.toBeUndefined();
  vi.spyOn(performance, 'now').mockImplementation(() => frozen() + 90_000);
  await expect(keeper.guard()).rejects.toThrow(LeaseLostError);

  expect(keeper.lost.aborted).toBe(true);
  vi.restoreAllMocks();
  await keeper.stop();
});

test('a renewal that is refused because the end of the work gave the lease up is no loss', async () => {
  const replies: ((isHeld: boolean) => void)[] = [];
  const warn = vi.fn();
  const keeper = createLeaseKeeper({
    resource: 'plan p',
    ttlMs: 30_000,
    renew: () => new Promise((resolve) => replies.push(resolve)),
    logger: { ...silentLogger, warn },
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(replies).toHaveLength(1);

  expect(await keeper.ending(async () => 'SUCCEEDED')).toBe('SUCCEEDED');
  replies[0]?.(false);
  await keeper.stop();

  expect(keeper.lost.aborted).toBe(false);
  expect(warn).not.toHaveBeenCalled();
});

test('a renewal that is refused during an end that fails is a loss at the next one', async () => {
  const keeper = keep(async () => false);
  const failed = keeper.ending(async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(keeper.lost.aborted).toBe(false);
    throw new Error('another process has the lease');
  });
  await expect(failed).rejects.toThrow('another process');

  await vi.advanceTimersByTimeAsync(10_000);

  expect(keeper.lost.aborted).toBe(true);
  await keeper.stop();
});
