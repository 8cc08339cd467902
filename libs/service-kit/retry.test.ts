import { expect, test, vi } from 'vitest';
import { keepTrying, retry } from './retry.ts';

const pauses = { firstMs: 100, longestMs: 300 };

/** Work that fails so many times before it succeeds, and the pauses between its tries. */
function failing(failures: number) {
  const slept: number[] = [];
  const work = vi.fn(async (tries: number) => {
    if (tries < failures) throw new Error(`failure ${tries}`);
    return 'done';
  });
  const sleep = async (ms: number) => void slept.push(ms);
  return { slept, work, sleep };
}

test('tries again after pauses that double up to the longest', async () => {
  const { slept, work, sleep } = failing(4);
  const failures: string[] = [];
  const onFailure = (error: unknown, tries: number) => void failures.push(`${tries}: ${(error as Error).message}`);
  await expect(retry(work, { pauses, sleep, onFailure })).resolves.toBe('done');
  expect(slept).toEqual([100, 200, 300, 300]);
  expect(failures).toEqual(['0: failure 0', '1: failure 1', '2: failure 2', '3: failure 3']);
});

test('throws the last failure after the given number of tries, without a pause after it', async () => {
  const { slept, work, sleep } = failing(9);
  await expect(retry(work, { pauses, sleep, tries: 3 })).rejects.toThrow('failure 2');
  expect(slept).toEqual([100, 200]);
});

test('throws a permanent failure immediately', async () => {
  const { slept, work, sleep } = failing(9);
  const isPassing = (error: unknown) => (error as Error).message !== 'failure 1';
  await expect(retry(work, { pauses, sleep, isPassing })).rejects.toThrow('failure 1');
  expect(slept).toEqual([100]);
});

test('ends a pause when the signal fires, with its reason', async () => {
  const ending = new AbortController();
  const work = vi.fn(() => Promise.reject(new Error('refused')));
  const hour = { firstMs: 3_600_000, longestMs: 3_600_000 };
  const onFailure = () => void setImmediate(() => ending.abort(new Error('the process stops')));
  await expect(retry(work, { pauses: hour, signal: ending.signal, onFailure })).rejects.toThrow('the process stops');
  expect(work).toHaveBeenCalledTimes(1);
});

test('does not start when the signal has fired', async () => {
  const work = vi.fn(async () => undefined);
  await expect(retry(work, { pauses, signal: AbortSignal.abort(new Error('ended')) })).rejects.toThrow('ended');
  expect(work).not.toHaveBeenCalled();
});

test('keepTrying never rejects', async () => {
  const ending = new AbortController();
  const onFailure = () => ending.abort();
  await keepTrying(() => Promise.reject(new Error('refused')), { signal: ending.signal, onFailure });
});
