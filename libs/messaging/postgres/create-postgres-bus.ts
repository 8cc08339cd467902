import pg from 'pg';
import { type Clock, type IdSource, type Logger, messageOf, OperatorError } from '#libs/domain';
import { poolSettings } from '#libs/postgres';
import { type Metrics, newUuid, systemClock, withTimeLimit } from '#libs/service-kit';
import type { Envelope, MessageBus } from '../bus.ts';
import { createBusMetrics } from '../bus-metrics.ts';
import { messageCatalogue } from '../catalogue/catalogue.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import { defaultNewerVersionMs } from '../delivery.ts';
import { BusUnavailableError } from '../errors.ts';
import { createMessageChecker } from '../validate.ts';
import { createBroadcasts } from './broadcasts.ts';
import { checkDatabaseUrl, createListener, type Listener } from './listener.ts';
import { createNotes, notify } from './notes.ts';
import { createRequester, respondTo } from './requests.ts';
import { consumeWork } from './work-consumer.ts';
import { createWorkQueue } from './work-queue.ts';

/** Collaborators and settings of the bus on PostgreSQL. */
export interface PostgresBusOptions {
  /** `postgres://user:password@host:5432/database`. The migrations must have run. */
  url: string;
  logger: Logger;
  /** Separates the messages of several installations in one database. Default `vigil`. */
  prefix?: string;
  /** The process that sent a message. Also its name in `pg_stat_activity`. */
  appId: string;
  metrics?: Metrics;
  /** Time for which the messages of a dead consumer stay hidden, in milliseconds. Default 30,000. */
  visibilityMs?: number;
  /** Longest pause between two polls of a queue without a notification, in milliseconds. Default 5,000. */
  pollMs?: number;
  /** Time limit for storing a message, in milliseconds. Default 10,000. */
  publishTimeoutMs?: number;
  /**
   * Time for which messages of unknown versions are requeued for newer processes, in milliseconds. Default 900,000.
   */
  newerVersionMs?: number;
  /** Message types. Default: the whole catalogue. */
  catalogue?: readonly MessageDefinition[];
  clock?: Clock;
  newId?: IdSource;
}

const probeTimeoutMs = 5000;
const cleaningIntervalMs = 60_000;
const deadLettersKept = 100_000;
const poolLimits = { max: 5, statementTimeoutMs: 8000 };

const trimSql = `DELETE FROM bus_dead_letters WHERE id <= (SELECT max(id) FROM bus_dead_letters) - ${deadLettersKept}`;

/**
 * The message bus on tables of PostgreSQL 15 or newer, for installations without a broker. Messages are claimed with
 * SKIP LOCKED and hidden while they are handled. NOTIFY wakes the consumers within milliseconds, polling is the
 * fallback. `close` does not wait for handlers. Stop the consumers first.
 * @throws OperatorError when the database cannot be reached, refuses the user or lacks the tables.
 * @throws InvalidInputError when `url` is not a PostgreSQL URL.
 */
export async function createPostgresBus(options: PostgresBusOptions): Promise<MessageBus> {
  const { appId, prefix = 'vigil', newId = newUuid, catalogue = messageCatalogue, pollMs = 5000 } = options;
  const { clock = systemClock } = options;
  const logger = options.logger.child({ bus: 'postgres' });
  const checker = createMessageChecker(catalogue);
  const metrics = createBusMetrics(options.metrics);
  const { url } = options;
  checkDatabaseUrl(url);
  const channel = `${prefix}_bus`;
  const listener = await createListener({ url, channel, appId, logger, metrics });
  await requireTables(listener);
  const pool = new pg.Pool(poolSettings({ url, logger, applicationName: appId, ...poolLimits }).settings);
  pool.on('error', (error) => logger.debug({ error: messageOf(error) }, 'idle database connection lost'));
  const work = createWorkQueue(pool, { channel, appId });
  const notes = createNotes(pool, channel);
  const requestDeps = { pool, listener, notes, prefix, newId, logger, pollMs };
  const requester = await createRequester(requestDeps);
  const broadcasts = createBroadcasts(listener, notes, prefix, logger);
  const consumers = new Set<{ abandon(): void }>();
  const consumerDeps = {
    ...{ work, listener, newId, logger, metrics, pollMs },
    rules: { checker, clock, newerVersionMs: options.newerVersionMs ?? defaultNewerVersionMs },
    visibilityMs: options.visibilityMs ?? 30_000,
  };
  const cleaning = setInterval(() => {
    Promise.all([notes.removeExpired(), pool.query(trimSql)]).catch((error) =>
      logger.warn({ error: messageOf(error) }, 'cannot remove old messages'),
    );
  }, cleaningIntervalMs);
  cleaning.unref();
  let closed = false;
  const limitMs = options.publishTimeoutMs ?? 10_000;

  async function store(envelopes: Envelope[]): Promise<true | string> {
    const messages = envelopes.map((envelope) => ({ queue: queueOf(envelope.type), envelope }));
    const late = (): string => `PostgreSQL did not store the messages within ${limitMs} ms`;
    const stored = work.add(messages).then(() => true as const, messageOf);
    return withTimeLimit<true | string>(stored, limitMs, late);
  }

  const queueOf = (type: string): string => `${prefix}.${checker.definition(type).queue}`;

  return {
    system: 'postgresql',
    async publish(envelopes) {
      const problems = envelopes.map(({ type, body }) => checker.findProblem(type, body));
      const good = envelopes.filter((_, index) => problems[index] === null);
      const outcome = closed ? 'the bus is closed' : good.length === 0 || (await store(good));
      return envelopes.map(({ type }, index) => {
        const result = problems[index] ?? outcome;
        metrics.published(type, result);
        return result;
      });
    },
    async consume(type, handler, { prefetch }) {
      const consumer = await consumeWork(consumerDeps, queueOf(type), checker.definition(type), handler, prefetch);
      consumers.add(consumer);
      return {
        async stop() {
          await consumer.stop();
          consumers.delete(consumer);
        },
      };
    },
    request: requester.request,
    respond: (topic, handler) => respondTo(requestDeps, topic, handler),
    async broadcast(topic, body) {
      await broadcasts.send(topic, body).catch((error) => {
        throw new BusUnavailableError(messageOf(error), { cause: error });
      });
    },
    subscribe: async (topic, handler) => broadcasts.subscribe(topic, handler),
    probe: () => probeDatabase(pool, listener, channel, newId()),
    deadLetters: (limit) => work.deadLetters(`${prefix}.`, limit),
    deadLetterCount: () => work.deadLetterCount(`${prefix}.`),
    async redriveDeadLetter(id) {
      const letter = await work.deadLetter(`${prefix}.`, id);
      if (!letter) return false;
      const problem = checker.findProblem(letter.envelope.type, letter.envelope.body);
      return problem === null ? work.redrive(id) : { refused: problem };
    },
    discardDeadLetter: (id) => work.discard(`${prefix}.`, id),
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(cleaning);
      for (const consumer of consumers) consumer.abandon();
      // Connections to a silent server end later, by their own time limit.
      await withTimeLimit<unknown>(Promise.all([listener.close(), pool.end()]), limitMs, () => undefined);
    },
  };
}

async function requireTables(listener: Listener): Promise<void> {
  const rows = await listener.query<{ found: boolean }>("SELECT to_regclass('bus_messages') IS NOT NULL AS found");
  if (rows[0]?.found === true) return;
  await listener.close();
  throw new OperatorError('the database has no tables for the message bus; run the migrations first');
}

/** Sends a nonce through NOTIFY. @throws BusUnavailableError with the reason when it does not arrive. */
async function probeDatabase(pool: pg.Pool, listener: Listener, channel: string, nonce: string): Promise<void> {
  listener.requireOpen();
  let off: () => void = () => undefined;
  const arrived = new Promise<void>((resolve, reject) => {
    off = listener.on('probe', ({ name }) => name === nonce && resolve());
    notify(pool, channel, { kind: 'probe', name: nonce }).catch(reject);
  });
  const late = (): never => {
    throw new BusUnavailableError(`PostgreSQL did not bring a notification back within ${probeTimeoutMs} ms`);
  };
  await withTimeLimit(arrived, probeTimeoutMs, late)
    .catch((error) => {
      throw error instanceof BusUnavailableError ? error : new BusUnavailableError(messageOf(error), { cause: error });
    })
    .finally(() => off());
}
