import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import { ApiFault, badRequest } from '../http/faults/fault.ts';
import { requireSameOrigin } from '../http/request/same-origin.ts';
import { setWebSsoCookie, webSsoCookieOf } from '../http/request/session-cookie.ts';
import { requireJsonObject } from '../http/watcher-text/json-body.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import { startSession } from './start-session.ts';
import { type WebSso, webSsoUrl } from './web-sso.ts';

const path = '/dashboard/session/websso';
const options = { schema: { hide: true } };

/**
 * Sign-in through Keystone's federation. The page requests the URL (`start`), and Keystone's page posts an unscoped
 * token back. The API accepts it only from Keystone's origin, and only from the browser that started.
 */
export function registerWebSsoRoutes(
  app: FastifyInstance,
  deps: DashboardDeps & { webSso: WebSso },
  identity: IdentityPort,
  limit: SignInLimit,
): void {
  const { webSso } = deps;
  const keystoneOrigin = new URL(webSso.keystoneUrl).origin;

  app.post(`${path}/start`, options, async (request, reply) => {
    requireSameOrigin(request);
    reply.header('Cache-Control', 'no-store');
    const { choice } = requireJsonObject(request, 'choice');
    const known = webSso.choices.find(({ id }) => id === choice);
    if (!known) throw badRequest(`choice: one of ${webSso.choices.map(({ id }) => id).join(', ')} is expected`);
    // From the browser's own URL, because the API may not know of TLS in front of it.
    const own = request.headers.origin ?? new URL(request.base.app).origin;
    const isSecure = own.startsWith('https:');
    setWebSsoCookie(request, reply, { value: randomBytes(24).toString('base64url'), isSecure });
    return { url: webSsoUrl(webSso, known, `${own}${mountPath(request)}${path}`) };
  });

  app.post(path, options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    request.auditNotes = { operation: 'sign_in', targetKind: 'session' };
    const requested = webSsoCookieOf(request);
    // One count per sign-in: a valid cookie does not identify the client.
    const attempt = { address: request.clientAddress, domain: 'websso', user: requested?.value ?? '' };
    const waitMs = limit(attempt);
    setWebSsoCookie(request, reply, { value: '', isSecure: requested?.isSecure ?? false });
    if (request.headers.origin !== keystoneOrigin)
      throw new ApiFault(403, 'The request does not come from the page of Keystone.');
    if (requested === null) return refuse(request, reply, 'not-asked');
    await sleep(waitMs);
    const found = await readToken(request, identity);
    if (found === null) return refuse(request, reply, 'refused');
    await startSession(deps, request, reply, found, { isSecure: requested.isSecure });
    return reply
      .code(303)
      .header('Location', `${mountPath(request)}/dashboard/`)
      .send();
  });
}

/** The token that Keystone posted, scoped to the user's project when there is only one. Null when it is invalid. */
async function readToken(
  request: FastifyRequest,
  identity: IdentityPort,
): Promise<{ token: string; validated: ValidatedToken } | null> {
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
  const unscoped = form.get('token') ?? '';
  const validated = unscoped === '' ? null : await identity.validate(unscoped);
  if (!validated) return null;
  if (validated.projectId !== null) return { token: unscoped, validated };
  const [project, ...others] = await identity.projects(unscoped);
  if (!project || others.length > 0) return { token: unscoped, validated };
  const token = await identity.signIn({ kind: 'token', token: unscoped, project: { id: project.id } });
  const scoped = token === null ? null : await identity.validate(token);
  return token === null || !scoped ? { token: unscoped, validated } : { token, validated: scoped };
}

/** Redirects to the page, which shows the reason. A browser shows nothing else for a refused form. */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: 'refused' | 'not-asked'): FastifyReply {
  return reply
    .code(401)
    .header('Refresh', `0; url=${mountPath(request)}/dashboard/?sign-in=${reason}`)
    .type('text/plain; charset=utf-8')
    .send('The sign-in was refused.\n');
}

/**
 * Path below which the API is reached, without a trailing slash. It has one leading slash, because two would name
 * another server.
 */
function mountPath(request: FastifyRequest): string {
  return new URL(request.base.app).pathname.replace(/\/+$/, '').replace(/^\/+/, '/');
}
