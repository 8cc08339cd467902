import { type Clock, type Logger, messageOf } from '#libs/domain';
import { createSemaphore, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { RequestCredentials } from '../http/request/request-context.ts';

/** A client that reads longer than one request. Its right to read can end before it disconnects. */
export interface AdmittedClient {
  /** Dashboard session whose end closes the stream. */
  session: string | null;
  /** Token whose expiry closes the stream. Null without authentication. */
  credentials: RequestCredentials | null;
  connection: { end(): void };
}

export interface AccessChecksDeps {
  store: Store;
  logger: Logger;
  clock: Clock;
}

/** Interval at which ended sessions are detected. */
const sessionCheckMs = 1000;
/** Interval at which tokens are revalidated. Keystone is called only when the cached result is too old. */
const tokenCheckMs = 1000;
/** Maximum parallel Keystone calls for stream tokens. */
const tokensAtOnce = 8;

/**
 * Closes the connections of clients whose dashboard session or token has ended.
 * @param clients the connected clients, read at each check
 * @returns the function that ends the checks and waits for the running ones
 */
export function startAccessChecks<T extends AdmittedClient>(
  clients: ReadonlySet<T>,
  { store, logger, clock }: AccessChecksDeps,
): () => Promise<void> {
  const keystoneCalls = createSemaphore(tokensAtOnce);

  async function endWithToken({ credentials, connection }: T): Promise<void> {
    const validate = (token: RequestCredentials) => keystoneCalls.run(() => token.isValid());
    if (!(await hasValidToken(credentials, { clock, logger, reader: 'change stream', validate }))) connection.end();
  }

  async function endWithSessions(): Promise<void> {
    const sessions = new Set([...clients].flatMap(({ session }) => session ?? []));
    if (sessions.size === 0) return;
    const ended = new Set<string | null>(await store.db.dashboardSessions.ended([...sessions]));
    for (const { session, connection } of [...clients]) if (ended.has(session)) connection.end();
  }

  const sessions = startPeriodic({
    name: 'sessions of change streams',
    everyMs: sessionCheckMs,
    logger,
    run: endWithSessions,
  });
  const tokens = startPeriodic({
    name: 'tokens of change streams',
    everyMs: tokenCheckMs,
    logger,
    run: async () => {
      await Promise.all([...clients].map(endWithToken));
    },
  });
  return async () => {
    await Promise.all([sessions.stop(), tokens.stop()]);
  };
}

/**
 * Whether an admitted client may still read. While Keystone is unavailable, only the expiry of the token counts.
 * @param reader the kind of client, for the log
 * @param validate default: calls `isValid` directly
 */
export async function hasValidToken(
  credentials: RequestCredentials | null,
  {
    clock,
    logger,
    reader,
    validate = (token) => token.isValid(),
  }: {
    clock: Clock;
    logger: Logger;
    reader: 'change stream' | 'long poll';
    validate?: (token: RequestCredentials) => Promise<boolean>;
  },
): Promise<boolean> {
  if (credentials === null) return true;
  if (credentials.expiresAt <= clock.now()) return false;
  return validate(credentials).catch((error: unknown) => {
    logger.debug({ reason: messageOf(error) }, `cannot validate token of ${reader}`);
    return true;
  });
}
