import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { createVigilClient, type Delta, type WatchEvent, type WatchOptions } from '#libs/client';
import type { TestApi } from './test-api.ts';

/** Known entities, by `<kind> <uuid>`. */
export type WatchedState = Map<string, Record<string, unknown>>;

/** A client of the change stream that keeps the received state. */
export interface Followed {
  events: WatchEvent[];
  state: WatchedState;
  /** States after each complete event, by position. */
  at: Map<string, WatchedState>;
  /** Waits up to a minute until something was seen. */
  until(isThere: () => boolean): Promise<void>;
  position(): string;
  stop(): Promise<void>;
}

const limitMs = 60_000;

/** Follows the API at `url` until it is stopped. */
export function follow(url: string, options: WatchOptions = {}, keepStates = false): Followed {
  const ending = new AbortController();
  const events: WatchEvent[] = [];
  const state: WatchedState = new Map();
  const at = new Map<string, WatchedState>();
  const running = (async () => {
    const client = createVigilClient({ url });
    for await (const event of client.watch({ ...options, signal: ending.signal })) {
      if (event.begins) state.clear();
      for (const delta of event.deltas) applyDelta(state, delta);
      if (keepStates && event.isComplete && event.position) at.set(event.position, new Map(state));
      events.push(event);
    }
  })();
  running.catch(() => undefined);
  return {
    events,
    state,
    at,
    async until(isThere) {
      const deadline = performance.now() + limitMs;
      while (!isThere()) {
        if (performance.now() > deadline) throw new Error(`not seen in: ${JSON.stringify(events).slice(0, 2000)}`);
        await sleep(10);
      }
    },
    position: () => events.findLast(({ position }) => position !== null)?.position ?? '',
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** Applies one delta to the known state. */
export function applyDelta(state: WatchedState, [kind, what, entity]: Delta): void {
  const key = `${kind} ${'uuid' in entity ? entity.uuid : 'id' in entity ? entity.id : ''}`;
  if (what === 'change') state.set(key, entity as Record<string, unknown>);
  else state.delete(key);
}

/**
 * Call before a request for the next changes of the watcher `id`, and the returned function after it: it waits until
 * the request waits for changes. Only waiting requests are checked for a stop of their watcher.
 */
export function observeWaiting({ store }: Pick<TestApi, 'store'>, id: string): () => Promise<void> {
  const checked = vi.spyOn(store.changeStream.watchers, 'stopped');
  return () => expect.poll(() => checked.mock.calls.flat(2)).toContain(id);
}
