import '../audit-log/request-entry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type JsonObject, messageOf } from '#libs/domain';
import type { IdentityPort, SignIn, ValidatedToken } from '#libs/openstack';
import { defaultRules } from '../auth/default-rules.ts';
import { createTokenValidator } from '../auth/token-validator.ts';
import { ApiFault, badRequest } from '../http/fault.ts';
import { requireJsonObject } from '../http/json-body.ts';
import type { CallerIdentity } from '../http/request-context.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { sessionIdOf, setSessionCookie } from '../http/session-cookie.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { idleSecondsOf, readToken } from './session-hook.ts';
import { hashOfSession, newSessionId, sealToken } from './session-secret.ts';
import { createSignInLimit, type SignInLimit } from './sign-in-limit.ts';

/** Longest session, whatever the token's expiry. */
const maxSessionSeconds = 12 * 3600;
const tokenCacheMs = 10_000;
const maxFieldLength = 255;
/** So long a sign-out waits for Keystone at most. */
const revocationLimitMs = 5_000;

/** `/dashboard/session`: who is signed in (GET), signing in (POST) and out (DELETE). */
export function registerSessionRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { identity } = deps;
  const options = { schema: { hide: true } };
  if (!identity) {
    app.get('/dashboard/session', options, async () => openSession(deps));
    return;
  }
  const validate = createTokenValidator(identity, deps.clock, tokenCacheMs);
  const limit = createSignInLimit(deps.clock);
  app.get('/dashboard/session', options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const id = sessionIdOf(request);
    const token = id === null ? null : await readToken(deps, id, request);
    const validated = token === null ? null : await validate(token, { requestId: request.id });
    return validated ? shownSession(deps, validated) : { auth: 'keystone', signed_in: false };
  });
  app.post('/dashboard/session', options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const { id, validated, seconds } = await signIn(deps, identity, limit, request);
    setSessionCookie(request, reply, id, seconds);
    return reply.code(201).send(shownSession(deps, validated));
  });
  app.delete('/dashboard/session', options, async (request, reply) => {
    requireSameOrigin(request);
    const id = sessionIdOf(request);
    const token = id === null ? null : await readToken(deps, id, request);
    request.auditNotes = {
      operation: 'sign_out',
      targetKind: 'session',
      isNothing: token === null,
      who: token === null ? undefined : validate(token, { requestId: request.id }).then(identityOf, () => ({})),
    };
    if (id !== null) await deps.store.db.dashboardSessions.remove(hashOfSession(id));
    if (token !== null) await revoke(deps, identity, token, request.auditNotes.who);
    setSessionCookie(request, reply, '', 0);
    return reply.code(204).send();
  });
}

async function signIn(deps: DashboardDeps, identity: IdentityPort, limit: SignInLimit, request: FastifyRequest) {
  requireSameOrigin(request);
  const login = readLogin(requireJsonObject(request, 'session'));
  const typed = { userName: login.userName, projectName: login.projectName };
  request.auditNotes = { operation: 'sign_in', targetKind: 'session', who: Promise.resolve(typed) };
  await sleep(limit({ address: request.clientAddress, domain: login.userDomain, user: login.userName }));
  const token = await identity.signIn(login);
  const validated = token === null ? null : await identity.validate(token);
  if (token === null || !validated) {
    throw new ApiFault(401, 'Keystone refuses the user name, the password, or access to the project.');
  }
  const seconds = Math.min(maxSessionSeconds, (Date.parse(validated.expiresAt) - deps.clock.now()) / 1000);
  const id = newSessionId();
  const before = sessionIdOf(request);
  if (before !== null) await deps.store.db.dashboardSessions.remove(hashOfSession(before));
  await deps.store.db.dashboardSessions.add({
    idHash: hashOfSession(id),
    sealedToken: sealToken(id, token),
    seconds,
    idleSeconds: idleSecondsOf(deps),
  });
  request.auditNotes.who = Promise.resolve(identityOf(validated));
  return { id, validated, seconds };
}

/** Takes the token of a session back. The session has ended anyway, so a Keystone that does not answer is no failure. */
async function revoke({ logger }: DashboardDeps, identity: IdentityPort, token: string, who?: Promise<unknown>) {
  // Afterwards nobody could say whose it was.
  await who;
  try {
    await identity.revoke(token, { signal: AbortSignal.timeout(revocationLimitMs) });
  } catch (error) {
    logger.warn(
      { reason: messageOf(error) },
      'the token of a session that ended could not be revoked; it expires by itself',
    );
  }
}

/** Who it was, for the audit log; nothing when the token is no longer good. */
function identityOf(validated: ValidatedToken | null): Partial<CallerIdentity> {
  if (!validated) return {};
  const { userId, userName, projectId, projectName, roles } = validated;
  return { userId, userName, projectId, projectName, roles };
}

function readLogin(body: JsonObject): SignIn {
  const field = (name: string): string => {
    const value = body[name];
    if (typeof value !== 'string' || value === '') throw badRequest(`${name} is missing`);
    if (value.length > maxFieldLength) throw badRequest(`${name} is longer than ${maxFieldLength} characters`);
    return value;
  };
  return {
    userName: field('user'),
    userDomain: field('user_domain'),
    password: field('password'),
    projectName: field('project'),
    projectDomain: field('project_domain'),
  };
}

function shownSession(deps: DashboardDeps, validated: ValidatedToken) {
  return {
    auth: 'keystone',
    signed_in: true,
    user: validated.userName,
    project: validated.projectName,
    roles: validated.roles,
    expires_at: validated.expiresAt,
    permissions: permissionsOf(deps, validated),
    cron_time_zone: deps.cronTimeZone,
    links: linksOf(deps),
  };
}

/** What everybody is when authentication is off. */
function openSession(deps: DashboardDeps) {
  const caller = { userId: null, userName: null, projectId: null, projectName: null, roles: ['admin'] };
  return {
    auth: 'none',
    signed_in: true,
    user: null,
    project: null,
    roles: caller.roles,
    expires_at: null,
    permissions: permissionsOf(deps, caller),
    cron_time_zone: deps.cronTimeZone,
    links: linksOf(deps),
  };
}

function linksOf({ links }: DashboardDeps) {
  return { grafana_host: links.grafanaHost, grafana_instance: links.grafanaInstance, horizon: links.horizon };
}

/** Names of the policy rules that allow the caller, so that the dashboard does not offer what would be refused. */
function permissionsOf({ policy }: DashboardDeps, caller: CallerIdentity): string[] {
  return Object.keys(defaultRules).filter((rule) => rule.includes(':') && policy.allows(rule, caller));
}
