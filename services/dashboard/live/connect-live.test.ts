import { expect, test } from 'vitest';
import { VigilApiError, type VigilClient, type WatchEvent, type WatchOptions } from '#libs/client';
import { connectLive } from './connect-live.ts';
import { createLiveStore } from './live-store.ts';

type Script = (options: WatchOptions) => AsyncGenerator<WatchEvent>;

const clientOf = (watch: Script) => ({ watch }) as unknown as VigilClient;
const until = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));

test('a further kind replaces the stream, and known entities stay until the new state is complete', async () => {
  const requested: string[] = [];
  let open = 0;
  const client = clientOf(async function* (options) {
    requested.push((options.kinds ?? []).join());
    open += 1;
    options.onConnection?.('open');
    const deltas = (options.kinds ?? []).map((kind) => [kind, 'change', { uuid: kind }]);
    yield { type: 'snapshot', begins: true, isComplete: true, position: '1:1', deltas } as unknown as WatchEvent;
    await until(options.signal);
    open -= 1;
  });
  const live = createLiveStore(['audit']);
  const stop = new AbortController();
  const done = connectLive(client, live, stop.signal);
  await expect.poll(() => live.isComplete('audit')).toBe(true);

  const counts: number[] = [];
  live.subscribe(() => counts.push(live.list('audit').length), ['audit']);
  expect(live.position()).toBe('1:1');
  live.want('task');
  await expect.poll(() => live.isComplete('task')).toBe(true);
  expect(requested).toEqual(['audit', 'audit,task']);
  expect(open).toBe(1);
  expect(new Set(counts)).toEqual(new Set([1]));
  expect(live.status()).toBe('live');
  stop.abort();
  await done;
  expect(open).toBe(0);
});

test('without permission for any kind no stream is requested', async () => {
  const client = clientOf(() => {
    throw new Error('requested');
  });
  const live = createLiveStore([]);
  await connectLive(client, live, new AbortController().signal);
  expect(live.status()).toBe('refused');
});

test('a refusal ends it and is reported', async () => {
  // biome-ignore lint/correctness/useYield: it is refused before the first event
  const client = clientOf(async function* () {
    throw new VigilApiError('refused', 403, 'no');
  });
  const live = createLiveStore(['audit']);
  await connectLive(client, live, new AbortController().signal);
  expect(live.status()).toBe('refused');
  expect(live.isComplete('audit')).toBe(true);
});
