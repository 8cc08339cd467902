import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runReady } from './run-ready.ts';

function work(items: string[], run: (item: string) => Promise<void>, limit = 2) {
  const open = new Set(items);
  return {
    ready: () => [...open],
    keyOf: (item: string) => item,
    acquire: () => () => undefined,
    async run(item: string) {
      await run(item);
      open.delete(item);
    },
    limit,
    listen: () => () => undefined,
  };
}

it('runs everything, at most `limit` concurrently', async () => {
  let now = 0;
  let peak = 0;
  await runReady(
    work(['a', 'b', 'c', 'd'], async () => {
      now += 1;
      peak = Math.max(peak, now);
      await turn();
      now -= 1;
    }),
  );
  expect({ now, peak }).toEqual({ now: 0, peak: 2 });
});

it('starts nothing after an error, and throws it when the rest has ended', async () => {
  const seen: string[] = [];
  const failing = runReady(
    work(['a', 'b', 'c'], async (item) => {
      seen.push(item);
      if (item === 'a') throw new Error('broken');
      await turn();
      seen.push(`${item} ended`);
    }),
  );
  await expect(failing).rejects.toThrow('broken');
  expect(seen).toEqual(['a', 'b', 'b ended']);
});

it('waits for hosts that others free', async () => {
  let isFree = false;
  let wake: () => void = () => undefined;
  const seen: string[] = [];
  const running = runReady({
    ...work(['a'], async (item) => void seen.push(item)),
    acquire: () => (isFree ? () => undefined : null),
    listen(ring) {
      wake = ring;
      return () => undefined;
    },
  });
  await turn();
  expect(seen).toEqual([]);
  isFree = true;
  wake();
  await running;
  expect(seen).toEqual(['a']);
});
