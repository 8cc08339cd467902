import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import type { CallerIdentity } from '../http/request/request-context.ts';
import { sessionIdOf, setSessionCookie } from '../http/request/session-cookie.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { idleSecondsOf, type OpenSession } from './session-hook.ts';
import { hashOfSession, newSessionId, sealToken } from './session-secret.ts';

/** Longest session, whatever the token's expiry. */
const maxSessionSeconds = 12 * 3600;
/** So long the end of a session waits for Keystone at most. */
const revocationLimitMs = 5_000;

/**
 * Starts a session with a token, in the place of the one that the browser had.
 * @param longestSeconds the session ends by then, default twelve hours
 */
export async function beginSession(
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

/**
 * Takes the token of a session back. The session has ended anyway, so a Keystone that does not answer is not a failure.
 */
export async function revokeQuietly({ logger }: DashboardDeps, identity: IdentityPort, token: string): Promise<void> {
  try {
    await identity.revoke(token, { signal: AbortSignal.timeout(revocationLimitMs) });
  } catch (error) {
    logger.warn(
      { reason: messageOf(error) },
      'the token of a session that ended could not be revoked; it expires by itself',
    );
  }
}

/** Who it was, for the audit log. Nothing when the token is no longer good. */
export function identityOf(validated: ValidatedToken | null): Partial<CallerIdentity> {
  if (!validated) return {};
  const { userId, userName, projectId, projectName, roles } = validated;
  return { userId, userName, projectId, projectName, roles };
}
