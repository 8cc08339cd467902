import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import { routedPath } from '../http/request/request-context.ts';
import { needsIdentity } from '../http/request/rewrite-url.ts';
import { dashboardHeader, requireSameOrigin } from '../http/request/same-origin.ts';
import { sessionIdOf } from '../http/request/session-cookie.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { hashOfSession, openToken } from './session-secret.ts';

/** Value of the dashboard's header from a page at which nobody has been for a while. */
const unattended = 'unattended';

/**
 * Lets requests with a session cookie and without their own token pass as if they had brought the session's token.
 * They must come from the dashboard itself. Call before the authentication hook is added.
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

/** Seconds without use after which sessions end. Null when they do not. */
export function idleSecondsOf({ sessionIdleSeconds = 0 }: Pick<SessionDeps, 'sessionIdleSeconds'>): number | null {
  return sessionIdleSeconds === 0 ? null : sessionIdleSeconds;
}

/** A session that has not ended. */
export interface OpenSession {
  token: string;
  /** Seconds after which it ends when nobody uses it. */
  secondsLeft: number;
  /** Seconds after which it ends in any case. */
  endsIn: number;
}

/** A session, which lives on when a person is behind the request. Null when it is unknown or has expired. */
export async function readSession(deps: SessionDeps, id: string, request: FastifyRequest): Promise<OpenSession | null> {
  const [idHash, idleSeconds] = [hashOfSession(id), idleSecondsOf(deps)];
  const sessions = deps.store.db.dashboardSessions;
  const found = await sessions.find(idHash, idleSeconds);
  if (found === null) return null;
  const isAttended = request.headers[dashboardHeader] !== unattended;
  if (found.isDue && isAttended) {
    // Behind the request: reads continue while the database takes no writes.
    sessions.renew(idHash, idleSeconds).catch((error: unknown) => {
      deps.logger.debug({ reason: messageOf(error) }, 'a session could not be renewed');
    });
  }
  const token = openToken(id, found.sealedToken);
  const { endsIn } = found;
  const secondsLeft = found.isDue && isAttended ? Math.min(endsIn, idleSeconds ?? endsIn) : found.secondsLeft;
  return token === null ? null : { token, secondsLeft, endsIn };
}
