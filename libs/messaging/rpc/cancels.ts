import type { Consumer, MessageBus } from '../bus.ts';

/** Broadcast of a client that no longer waits for its response. */
export const cancelTopic = 'question.cancel';

/** Maximum number of kept cancels that arrived before their request, or after its response. */
const maxRemembered = 1000;

/** A request in progress, for its handler. */
export interface Call {
  /** Party of the request, such as a user in a project. Null for requests of the deployment. */
  requester: string | null;
  /** Aborted when the client no longer waits: it has disconnected, or its time limit has ended. */
  signal: AbortSignal;
}

/** Receives the cancels of clients. */
export interface Cancels extends Consumer {
  /**
   * Returns a signal that is aborted when the request with this id is cancelled. Call `end` when the request is done.
   */
  follow(id: string): { signal: AbortSignal; end(): void };
}

/** Receives the cancels of all clients, so that their requests end in this process. */
export async function followCancels(bus: Pick<MessageBus, 'subscribe'>): Promise<Cancels> {
  const running = new Map<string, AbortController>();
  /** The queue of requests may be slower than the broadcast. */
  const early = new Set<string>();

  const subscription = await bus.subscribe(cancelTopic, ({ id }) => {
    if (typeof id !== 'string') return;
    const known = running.get(id);
    if (known) return known.abort(new Error('the client no longer waits'));
    early.add(id);
    const [oldest] = early;
    if (early.size > maxRemembered && oldest !== undefined) early.delete(oldest);
  });
  return {
    follow(id) {
      const controller = new AbortController();
      running.set(id, controller);
      if (early.delete(id)) controller.abort(new Error('the client did not wait for the start'));
      return { signal: controller.signal, end: () => void running.delete(id) };
    },
    stop: () => subscription.stop(),
  };
}
