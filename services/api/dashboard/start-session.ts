import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import type { CallerIdentity } from '../http/request/request-context.ts';
import { sessionIdOf, setSessionCookie } from '../http/request/session-cookie.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { idleSecondsOf, type OpenSession } from './session-hook.ts';
import { hashOfSession, newSessionId, sealToken } from './session-secret.ts';

/** Longest session, even when the token lives longer. */
const maxSessionSeconds = 12 * 3600;
/** Maximum wait for Keystone when a session ends. */
const revocationLimitMs = 5_000;

/**
 * Starts a session with a token and replaces the browser's previous one.
 * @param longestSeconds maximum lifetime of the session, default twelve hours
 */
export async function startSession(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, validated }: { token: string; validated: ValidatedToken },
  { isSecure, longestSeconds = maxSessionSeconds }: { isSecure?: boolean; longestSeconds?: number } = {},
): Promise<Omit<OpenSession, 'token'>> {
  const sessions = deps.store.db.dashboardSessions;
  const seconds = Math.min(longestSeconds, (Date.parse(validated.expiresAt) - deps.clock.now()) / 1000);
  const idleSeconds = idleSecondsOf(deps);
  const id = newSessionId();
  const before = sessionIdOf(request);
  if (before !== null) await sessions.remove(hashOfSession(before));
  await sessions.add({ idHash: hashOfSession(id), sealedToken: sealToken(id, token), seconds, idleSeconds });
  if (request.auditNotes) request.auditNotes.who = Promise.resolve(identityOf(validated));
  setSessionCookie(request, reply, id, seconds, isSecure);
  return { secondsLeft: Math.min(seconds, idleSeconds ?? seconds), endsIn: seconds };
}

/** Revokes the token of a session. The session has ended already, so an unavailable Keystone is not a failure. */
export async function revokeQuietly({ logger }: DashboardDeps, identity: IdentityPort, token: string): Promise<void> {
  try {
    await identity.revoke(token, { signal: AbortSignal.timeout(revocationLimitMs) });
  } catch (error) {
    logger.warn(
      { reason: messageOf(error) },
      'cannot revoke token of an ended session; it stays valid until its expiry',
    );
  }
}

/** User of a token, for the audit log. Undefined when the token is no longer valid. */
export function identityOf(validated: ValidatedToken | null): Partial<CallerIdentity> {
  if (!validated) return {};
  const { userId, userName, projectId, projectName, roles } = validated;
  return { userId, userName, projectId, projectName, roles };
}
