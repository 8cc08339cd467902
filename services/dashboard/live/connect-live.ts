import { VigilApiError, type VigilClient } from '#libs/client';
import type { LiveChange, LiveKind, LiveStore } from './live-store.ts';

const kinds = ['goal', 'strategy', 'audit_template', 'audit', 'action_plan', 'action', 'service'] as const;
/** Changes are shown together at most this often. */
const flushMs = 100;
type Watched = Parameters<VigilClient['watch']>[0];

/** Keeps the store in step with the API through one stream, until `stop`. Lost connections are made again by the client. */
export async function connectLive(client: VigilClient, live: LiveStore, stop: AbortSignal): Promise<void> {
  const options: Watched = {
    kinds,
    signal: stop,
    onConnection: (state) => live.setStatus(state === 'open' ? 'live' : 'reconnecting'),
  };
  const buffer = createBuffer(live);
  stop.addEventListener('abort', buffer.stop);
  try {
    for await (const event of client.watch(options)) {
      buffer.add(event.deltas.map(changeOf), event.begins);
      if (!event.isComplete) continue;
      if (event.type === 'snapshot') buffer.flush();
      live.setComplete();
    }
  } catch (error) {
    if (stop.aborted) return;
    live.setStatus('refused');
    // The pages then say that there is nothing to see; the session is asked again when it has ended.
    if (error instanceof VigilApiError && error.status === 403) live.setComplete();
  }
}

function changeOf([kind, what, entity]: readonly [
  LiveKind | string,
  string,
  { uuid?: string; id?: number },
]): LiveChange {
  const id = entity.uuid ?? String(entity.id);
  return { kind: kind as LiveKind, id, entity: what === 'change' ? entity : null };
}

/** Collects changes, so that a burst redraws the page once. A full state replaces the old one only when it is complete. */
function createBuffer(live: LiveStore) {
  let changes: LiveChange[] = [];
  let restart = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    live.apply(changes, { restart });
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
      // The timer waits for the end of a full state, or half of the entities would vanish for a moment.
      if (!restart) timer ??= setTimeout(flush, flushMs);
    },
    flush,
    stop(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
