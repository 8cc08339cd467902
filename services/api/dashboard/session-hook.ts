import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import { routedPath } from '../http/request/request-context.ts';
import { needsIdentity } from '../http/request/rewrite-url.ts';
import { dashboardHeader, requireSameOrigin } from '../http/request/same-origin.ts';
import { sessionIdOf } from '../http/request/session-cookie.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { hashOfSession, openToken } from './session-secret.ts';

/** Value of the dashboard's header from an idle page. */
const unattended = 'unattended';

/**
 * Authenticates requests that have a session cookie and no token with the session's token. They must come from the
 * dashboard itself. Call before the authentication hook is added.
 */
export function installSessionHook(app: FastifyInstance, deps: SessionDeps): void {
  app.addHook('onRequest', async (request) => {
    if (!needsIdentity(routedPath(request)) || request.headers['x-auth-token'] !== undefined) return;
    const id = sessionIdOf(request);
    if (id === null) return;
    requireSameOrigin(request);
    const session = await readSession(deps, id, request);
    if (session === null) return;
    request.headers['x-auth-token'] = session.token;
    request.sessionHash = hashOfSession(id);
  });
}

/** Collaborators of the reader of sessions. */
export type SessionDeps = Pick<DashboardDeps, 'store' | 'logger' | 'sessionIdleSeconds'>;

/** Idle time in seconds after which sessions end. Null: no limit. */
export function idleSecondsOf({ sessionIdleSeconds = 0 }: Pick<SessionDeps, 'sessionIdleSeconds'>): number | null {
  return sessionIdleSeconds === 0 ? null : sessionIdleSeconds;
}

/** A session that has not ended. */
export interface OpenSession {
  token: string;
  /** Seconds until it ends without use. */
  secondsLeft: number;
  /** Seconds until it ends in any case. */
  endsIn: number;
}

/** Reads a session. A request by a person extends it. Null when it is unknown or has expired. */
export async function readSession(deps: SessionDeps, id: string, request: FastifyRequest): Promise<OpenSession | null> {
  const [idHash, idleSeconds] = [hashOfSession(id), idleSecondsOf(deps)];
  const sessions = deps.store.db.dashboardSessions;
  const found = await sessions.find(idHash, idleSeconds);
  if (found === null) return null;
  const isAttended = request.headers[dashboardHeader] !== unattended;
  if (found.isDue && isAttended) {
    // After the response: reads continue while the database is read-only.
    sessions.renew(idHash, idleSeconds).catch((error: unknown) => {
      deps.logger.debug({ reason: messageOf(error) }, 'cannot renew session');
    });
  }
  const token = openToken(id, found.sealedToken);
  const { endsIn } = found;
  const secondsLeft = found.isDue && isAttended ? Math.min(endsIn, idleSeconds ?? endsIn) : found.secondsLeft;
  return token === null ? null : { token, secondsLeft, endsIn };
}
