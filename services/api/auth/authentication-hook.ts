import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import type { ApiDeps } from '../http/api-deps.ts';
import { unauthorizedBody } from '../http/fault-body.ts';
import { isVersioned } from '../http/rewrite-url.ts';
import type { CallerIdentity } from './caller-identity.ts';
import { createTokenValidator, type TokenValidator } from './token-validator.ts';

type AuthenticationHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type AuthDeps = Pick<ApiDeps, 'identity' | 'authMode' | 'authUri' | 'clock' | 'logger'>;

/**
 * Makes the hook that sets `request.caller` for everything below `/v1`: from a Keystone token, or with `authMode` `none`
 * from the identity headers, where a missing `X-Roles` means an administrator.
 */
export function createAuthenticationHook(deps: AuthDeps): AuthenticationHook {
  if (deps.authMode === 'none') {
    return async (request) => {
      if (isVersioned(request.url)) request.caller = callerOfHeaders(request);
    };
  }
  if (!deps.identity) throw new Error('keystone authentication needs an identity service');
  const validate = createTokenValidator(deps.identity, deps.clock);
  return async (request, reply) => {
    if (isVersioned(request.url)) await authenticate(deps, validate, request, reply);
  };
}

async function authenticate(
  deps: AuthDeps,
  validate: TokenValidator,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const token = request.headers['x-auth-token'];
  if (typeof token !== 'string' || token === '') return refuse(deps, reply);
  try {
    const validated = await validate(token, request.id);
    if (!validated) return await refuse(deps, reply);
    request.caller = { userId: validated.userId, projectId: validated.projectId, roles: validated.roles };
  } catch (error) {
    deps.logger.error({ error: messageOf(error), requestId: request.id }, 'the identity service can not be asked');
    await reply.code(503).type('text/plain').send('Keystone is not reachable; the token can not be validated.\n');
  }
}

async function refuse(deps: AuthDeps, reply: FastifyReply): Promise<void> {
  await reply
    .code(401)
    .header('WWW-Authenticate', `Keystone uri="${deps.authUri ?? ''}"`)
    .removeHeader('X-OpenStack-Request-ID')
    .type('application/json')
    .send(unauthorizedBody);
}

function callerOfHeaders(request: FastifyRequest): CallerIdentity {
  const roles = headerText(request, 'x-roles');
  return {
    userId: headerText(request, 'x-user-id'),
    projectId: headerText(request, 'x-project-id'),
    roles: roles === null ? ['admin'] : roles.split(',').map((role) => role.trim()),
  };
}

function headerText(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
