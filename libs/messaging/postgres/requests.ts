import type pg from 'pg';
import { type IdSource, type JsonObject, type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import type { Consumer, RequestHandler } from '../bus.ts';
import { BusUnavailableError, NoResponderError, RequestTimeoutError } from '../errors.ts';
import { handleRequest, readResponse } from '../remote-response.ts';
import { createRunningHandlers } from '../running-handlers.ts';
import type { Listener } from './listener.ts';
import type { Note, Notes } from './notes.ts';

export interface RequestDeps {
  pool: pg.Pool;
  listener: Listener;
  notes: Notes;
  prefix: string;
  newId: IdSource;
  logger: Logger;
  /** Interval in which responders search for requests with a missed notification, in milliseconds. */
  pollMs: number;
}

const concurrentResponses = 16;
const replyLifeMs = 60_000;

/**
 * A responder holds a shared advisory lock per topic on its listening connection. The database therefore knows the
 * responders, and forgets them with the connection.
 */
const lockSql = 'SELECT pg_advisory_lock_shared(hashtext($1), hashtext($2))';
const unlockSql = 'SELECT pg_advisory_unlock_shared(hashtext($1), hashtext($2))';
const presentSql = `
  SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid::bigint = (hashtext($1)::bigint & 4294967295)
      AND objid::bigint = (hashtext($2)::bigint & 4294967295)
  ) AS present`;

export interface Requester {
  request(topic: string, body: JsonObject, options: { timeoutMs: number }): Promise<JsonObject>;
}

/** Sends a request with a separate reply address. Listens on it before the request is sent. */
export async function createRequester(deps: RequestDeps): Promise<Requester> {
  const { pool, listener, notes, prefix } = deps;
  const address = `${prefix}.reply.${deps.newId()}`;
  const waiting = new Map<string, (answer: JsonObject) => void>();

  async function collectReplies(): Promise<void> {
    for (;;) {
      const reply = await notes.take('reply', address);
      if (reply === null) return;
      waiting.get(String(reply.body.request))?.(reply.body.answer as JsonObject);
    }
  }

  function collectQuietly(): void {
    collectReplies().catch((error) => deps.logger.info({ error: messageOf(error) }, 'cannot read replies'));
  }

  listener.on('reply', ({ name }) => name === address && collectQuietly());
  await listener.attach(async () => {
    if (waiting.size > 0) collectQuietly();
  });

  async function send(topic: string, id: string, body: JsonObject, timeoutMs: number): Promise<void> {
    const name = `${prefix}.${topic}`;
    const { rows } = await pool.query<{ present: boolean }>(presentSql, [prefix, topic]);
    if (rows[0]?.present !== true) throw new NoResponderError(topic);
    await notes.add('request', { topic: name, body: { id, body }, replyTo: address }, timeoutMs);
  }

  return {
    async request(topic, body, { timeoutMs }) {
      const id = deps.newId();
      const response = new Promise<JsonObject>((resolve, reject) => {
        waiting.set(id, resolve);
        send(topic, id, body, timeoutMs).catch((error) =>
          reject(
            error instanceof NoResponderError ? error : new BusUnavailableError(messageOf(error), { cause: error }),
          ),
        );
      });
      const late = () => {
        throw new RequestTimeoutError(topic, timeoutMs);
      };
      try {
        return readResponse(topic, await withTimeLimit(response, timeoutMs, late));
      } finally {
        waiting.delete(id);
      }
    },
  };
}

/** Serves requests on a topic until stopped. */
export async function respondTo(deps: RequestDeps, topic: string, handler: RequestHandler): Promise<Consumer> {
  const { listener, notes, prefix } = deps;
  const name = `${prefix}.${topic}`;
  const logger = deps.logger.child({ topic });
  const running = createRunningHandlers(concurrentResponses, (error) =>
    logger.info({ error: messageOf(error) }, 'cannot send response'),
  );
  let stopped = false;

  async function answer({ body, replyTo }: Note): Promise<void> {
    const reply = await handleRequest(handler, body.body as JsonObject);
    await notes.add(
      'reply',
      { topic: String(replyTo), body: { request: body.id ?? null, answer: reply } },
      replyLifeMs,
    );
  }

  async function takeAll(): Promise<void> {
    while (!stopped) {
      const note = await notes.take('request', name);
      if (note === null) return;
      running.run(() => answer(note));
    }
  }

  function take(): void {
    takeAll().catch((error) => logger.info({ error: messageOf(error) }, 'cannot read requests'));
  }

  const off = listener.on('request', (notification) => notification.name === name && take());
  const poll = setInterval(take, deps.pollMs);
  poll.unref();
  const detach = await listener.attach(async (query) => {
    await query(lockSql, [prefix, topic]);
    take();
  });

  return {
    async stop() {
      stopped = true;
      off();
      detach();
      clearInterval(poll);
      await listener.query(unlockSql, [prefix, topic]).catch(() => undefined);
      await running.idle();
    },
  };
}
