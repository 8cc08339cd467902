import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Logger, messageOf, OperatorError } from '#libs/domain';

/** The awaited server. */
export interface StartingServer {
  /** URL of its database `postgres`, with the superuser's password. */
  url: string;
  /** Why it can never become ready. Null while it may. */
  ended(): string | null;
  /** Whether another attempt after this error is useless. Default false. */
  refuses?(error: unknown): boolean;
  /** Maximum time without a sign of progress, in milliseconds. Default 60 000. */
  limitMs?: number;
  logger: Logger;
}

const defaultLimitMs = 60_000;
const retryMs = 25;
/** `cannot_connect_now`: it starts, or recovers its data after a crash, for an unknown time. */
const startingUp = '57P03';

/**
 * Does `work` on the first connection that the server accepts. Retries until then. A server that reports its start-up
 * has no time limit: a restart would never let it finish.
 * @throws OperatorError when it has ended, or shows no sign of progress for too long
 */
export async function whenReady(server: StartingServer, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const { limitMs = defaultLimitMs, logger } = server;
  let lastSignMs = performance.now();
  let isWaitLogged = false;

  /** Records a failure after which another attempt is useful. Throws otherwise. */
  function note(error: unknown): void {
    if (server.refuses?.(error)) throw error;
    const reason = server.ended();
    if (reason !== null) throw new OperatorError(`the embedded PostgreSQL ended at its start: ${reason}`);
    if (isStartingUp(error)) {
      lastSignMs = performance.now();
      if (!isWaitLogged) logger.info({ reason: messageOf(error) }, 'waiting for the embedded PostgreSQL');
      isWaitLogged = true;
    } else if (performance.now() - lastSignMs > limitMs) {
      const text = `the embedded PostgreSQL is not ready after ${limitMs / 1000} s: ${messageOf(error)}`;
      throw new OperatorError(text, { cause: error });
    }
  }

  for (;;) {
    try {
      await withClient(server.url, work);
      return;
    } catch (error) {
      note(error);
    }
    await sleep(retryMs);
  }
}

function isStartingUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === startingUp;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 20_000 });
  // The loss of a server between two statements is also reported here. The error of the failed call is sufficient.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
