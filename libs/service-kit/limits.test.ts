import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSemaphore, untilAborted } from './limits.ts';

test('no more holders than places, the others in order', async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  let most = 0;

  await Promise.all(
    [0, 1, 2, 3, 4].map(async (index) => {
      const release = await semaphore.acquire();
      order.push(index);
      most = Math.max(most, semaphore.busy);
      await turn();
      release();
      release();
    }),
  );

  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
  expect(semaphore.busy).toBe(0);
});

test('an aborted waiter loses its turn', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const abort = new AbortController();
  const waiting = semaphore.acquire(abort.signal);
  const next = semaphore.acquire();

  abort.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
  release();
  await expect(next).resolves.toBeTypeOf('function');
});

test('thousands of waiters take one listener of their signal, and leave none', async () => {
  const semaphore = createSemaphore(1);
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, 'abort').length;
  const order: number[] = [];
  const release = await semaphore.acquire();
  const works = Array.from({ length: 5000 }, (_, index) => semaphore.run(async () => void order.push(index), signal));
  await turn();
  expect(listeners()).toBe(1);
  release();
  await Promise.all(works);
  expect(order).toEqual(Array.from({ length: 5000 }, (_, index) => index));
  expect([listeners(), semaphore.busy]).toEqual([0, 0]);
});

test('all waiters of an aborted signal lose their turns, and those of another do not', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const [abort, other] = [new AbortController(), new AbortController()];
  const works = Array.from({ length: 6 }, (_, index) =>
    semaphore.run(async () => index, index % 2 === 0 ? abort.signal : other.signal, `party ${index % 3}`),
  );
  abort.abort(new Error('enough'));
  release();
  const results = await Promise.allSettled(works);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([false, true, false, true, false, true]);
  expect(semaphore.busy).toBe(0);
});

test('parties take turns, regardless of the number of their waiting works', async () => {
  const semaphore = createSemaphore(1);
  const order: string[] = [];
  const release = await semaphore.acquire();
  const works = ['mallory', 'mallory', 'mallory', 'ann', 'bob', 'ann'].map((user, index) =>
    semaphore.run(async () => void order.push(`${user} ${index}`), undefined, user),
  );
  release();
  await Promise.all(works);
  expect(order).toEqual(['mallory 0', 'ann 3', 'bob 4', 'mallory 1', 'ann 5', 'mallory 2']);
});

test('a party that returns immediately waits for the others', async () => {
  const semaphore = createSemaphore(1);
  const order: string[] = [];
  const take = (user: string) => semaphore.run(async () => void order.push(user), undefined, user);
  const release = await semaphore.acquire(undefined, 'mallory');
  const works = [take('mallory'), take('ann')];
  release();
  await Promise.all(works);
  expect(order).toEqual(['ann', 'mallory']);
});

test('work gives its place back, also when it fails', async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => semaphore.busy);

  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe(1);
  expect(semaphore.busy).toBe(0);
});

test('work that a signal does not stop is left behind with the reason of the signal', async () => {
  const ending = new AbortController();
  const endless = untilAborted(new Promise(() => undefined), ending.signal);
  ending.abort(new Error('too late'));
  await expect(endless).rejects.toThrow('too late');
  await expect(untilAborted(new Promise(() => undefined), ending.signal)).rejects.toThrow('too late');
});

test('work that ends before the signal keeps its result', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});
