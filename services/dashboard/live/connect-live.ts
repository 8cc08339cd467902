import type { VigilClient, WatchedKind } from '#libs/client';
import type { LiveKind } from './live-entities.ts';
import type { LiveChange, LiveStore } from './live-store.ts';

/** Shortest time between two renders of changes, in milliseconds. */
const flushMs = 100;

/**
 * Keeps the store in step with the API through one stream, until `stop`. The client restores lost connections. When a
 * page requires a further kind, a stream with this kind replaces the current one. Without permission for any kind it
 * requests nothing.
 */
export async function connectLive(client: VigilClient, live: LiveStore, stop: AbortSignal): Promise<void> {
  if (live.kinds().length === 0) return live.setStatus('refused');
  while (!stop.aborted) {
    const ending = new AbortController();
    const end = () => ending.abort();
    stop.addEventListener('abort', end);
    const leave = live.onWanted(end);
    try {
      await follow(client, live, ending.signal);
    } catch {
      if (stop.aborted) return;
      // Refused: the pages show no data. An ended session leads to the sign-in.
      live.setStatus('refused');
      live.setComplete(live.kinds());
      return;
    } finally {
      leave();
      stop.removeEventListener('abort', end);
    }
  }
}

async function follow(client: VigilClient, live: LiveStore, signal: AbortSignal): Promise<void> {
  const kinds = live.kinds();
  const buffer = createBuffer(live);
  signal.addEventListener('abort', buffer.stop);
  const onConnection = (state: 'open' | 'reconnecting') => live.setStatus(state === 'open' ? 'live' : 'reconnecting');
  for await (const event of client.watch({
    kinds: kinds as readonly WatchedKind[],
    open: true,
    signal,
    onConnection,
  })) {
    if (signal.aborted) return;
    buffer.add(event.deltas.map(changeOf), event.begins);
    if (!event.isComplete) continue;
    if (event.type === 'snapshot') buffer.flush(event.position);
    live.setComplete(kinds);
  }
}

function changeOf([kind, what, entity]: readonly [
  LiveKind | string,
  string,
  { uuid?: string; id?: number | string },
]): LiveChange {
  const id = entity.uuid ?? String(entity.id);
  return { kind: kind as LiveKind, id, entity: what === 'change' ? entity : null };
}

/**
 * Collects changes, so that a burst redraws the page once. A full state replaces the old one only when it is complete.
 */
function createBuffer(live: LiveStore) {
  let changes: LiveChange[] = [];
  let restart = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function flush(position: string | null = null): void {
    if (timer) clearTimeout(timer);
    timer = null;
    live.apply(changes, { restart, position });
    changes = [];
    restart = false;
  }

  return {
    add(more: readonly LiveChange[], begins: boolean): void {
      if (begins) {
        changes = [];
        restart = true;
      }
      changes.push(...more);
      // The timer waits for the end of a full state. Otherwise half of the entities would disappear for a moment.
      if (!restart) timer ??= setTimeout(() => flush(), flushMs);
    },
    flush,
    stop(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
