import '../audit-log/request-entry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityPort } from '#libs/openstack';
import { createTokenValidator } from '../auth/token-validator.ts';
import { ApiFault } from '../http/faults/fault.ts';
import { compressText } from '../http/request/compress-text.ts';
import { requireSameOrigin } from '../http/request/same-origin.ts';
import { sessionIdOf, setSessionCookie } from '../http/request/session-cookie.ts';
import { requireJsonObject } from '../http/watcher-text/json-body.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { registerProjectRoutes } from './project-routes.ts';
import { readSession } from './session-hook.ts';
import { hashOfSession } from './session-secret.ts';
import { noSession, openSession, shownSession } from './shown-session.ts';
import { readSignIn } from './sign-in-body.ts';
import { createSignInLimit, type SignInLimit } from './sign-in-limit.ts';
import { identityOf, revokeQuietly, startSession } from './start-session.ts';
import { registerWebSsoRoutes } from './websso-routes.ts';

const tokenCacheMs = 10_000;

/**
 * `/dashboard/session`: the signed-in user (GET), sign-in (POST) and sign-out (DELETE), web sign-in, and switching
 * projects.
 */
export function registerSessionRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { identity, webSso } = deps;
  const options = { schema: { hide: true } };
  if (!identity) {
    app.get('/dashboard/session', { ...options, onSend: compressText }, async () => openSession(deps));
    return;
  }
  const validate = createTokenValidator(identity, deps.clock, tokenCacheMs);
  const limit = createSignInLimit(deps.clock);
  app.get('/dashboard/session', { ...options, onSend: compressText }, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const id = sessionIdOf(request);
    const session = id === null ? null : await readSession(deps, id, request);
    const validated = session && (await validate(session.token, { requestId: request.id }));
    return session && validated ? shownSession(deps, validated, session) : noSession(deps);
  });
  app.post('/dashboard/session', options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return reply.code(201).send(await signIn(deps, identity, limit, request, reply));
  });
  app.delete('/dashboard/session', options, async (request, reply) => {
    requireSameOrigin(request);
    const id = sessionIdOf(request);
    const session = id === null ? null : await readSession(deps, id, request);
    const who = session && validate(session.token, { requestId: request.id }).then(identityOf, () => ({}));
    request.auditNotes = {
      operation: 'sign_out',
      targetKind: 'session',
      isNothing: session === null,
      who: who ?? undefined,
    };
    if (id !== null) await deps.store.db.dashboardSessions.remove(hashOfSession(id));
    if (session !== null) {
      // The session's user is unknown after the deletion.
      await who;
      await revokeQuietly(deps, identity, session.token);
    }
    setSessionCookie(request, reply, '', 0);
    return reply.code(204).send();
  });
  registerProjectRoutes(app, deps, identity);
  if (webSso) registerWebSsoRoutes(app, { ...deps, webSso }, identity, limit);
}

async function signIn(
  deps: DashboardDeps,
  identity: IdentityPort,
  limit: SignInLimit,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  requireSameOrigin(request);
  const { credentials, domain, user, typed } = readSignIn(requireJsonObject(request, 'session'));
  request.auditNotes = { operation: 'sign_in', targetKind: 'session', who: Promise.resolve(typed) };
  await sleep(limit({ address: request.clientAddress, domain, user }));
  const token = await identity.signIn(credentials);
  const validated = token === null ? null : await identity.validate(token);
  if (token === null || !validated) {
    throw new ApiFault(
      401,
      credentials.kind === 'password'
        ? 'Keystone refuses the user name, the password, or access to the project.'
        : 'Keystone refuses the application credential: its id, its secret, or it has expired.',
    );
  }
  return shownSession(deps, validated, await startSession(deps, request, reply, { token, validated }));
}
