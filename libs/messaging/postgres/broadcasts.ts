import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Consumer } from '../bus.ts';
import type { Listener } from './listener.ts';
import type { Notes } from './notes.ts';

export interface Broadcasts {
  send(topic: string, body: JsonObject): Promise<void>;
  subscribe(topic: string, handler: (body: JsonObject) => void): Consumer;
}

const broadcastLifeMs = 60_000;

/** Subscribers receive the bodies in the order of sending. Each body is read once per bus. */
export function createBroadcasts(listener: Listener, notes: Notes, prefix: string, logger: Logger): Broadcasts {
  const subscribers = new Map<string, Set<(body: JsonObject) => void>>();
  let last: Promise<void> = Promise.resolve();

  async function passOn(name: string, id: number): Promise<void> {
    const handlers = subscribers.get(name);
    if (handlers === undefined || handlers.size === 0) return;
    const body = await notes.read(id);
    if (body === null) return;
    for (const handler of handlers) {
      try {
        handler(body);
      } catch (error) {
        logger.warn({ topic: name, error: messageOf(error) }, 'subscriber failed');
      }
    }
  }

  listener.on('broadcast', ({ name, id }) => {
    last = last
      .then(() => passOn(name, Number(id)))
      .catch((error) => logger.info({ topic: name, error: messageOf(error) }, 'cannot read broadcast'));
  });

  return {
    send: (topic, body) => notes.add('broadcast', { topic: `${prefix}.${topic}`, body }, broadcastLifeMs),
    subscribe(topic, handler) {
      const name = `${prefix}.${topic}`;
      const handlers = subscribers.get(name) ?? new Set();
      subscribers.set(name, handlers.add(handler));
      return {
        async stop() {
          handlers.delete(handler);
        },
      };
    },
  };
}
