import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { ValidatedToken } from '#libs/openstack';
import { unauthorizedBody } from '../http/faults/fault-body.ts';
import { type CallerIdentity, routedPath } from '../http/request/request-context.ts';
import { needsIdentity } from '../http/request/rewrite-url.ts';
import type { AccessDeps, ClientRates } from './access-deps.ts';
import { createTokenValidator, type TokenValidator } from './token-validator.ts';
import { createUnknownTokenGate, TooManyTokensError, type UnknownTokenGate } from './unknown-token-gate.ts';

type AuthenticationHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type AuthDeps = Omit<AccessDeps, 'policy' | 'metricsToken'> & { rates?: ClientRates; clock: Clock; logger: Logger };

/** Default time for which a validated token is accepted without another call to Keystone. */
const defaultCacheSeconds = 60;
/** The route checks the alert token of the audit instead of an identity. */
const alertmanagerPath = '/v1/webhooks/alertmanager/:audit';
/** Role of a service that may pass on a user's token after it has expired. */
const serviceRole = 'service';

/**
 * Makes the hook that sets `request.caller` for everything below `/v1` and `/internal`: from a Keystone token, or with
 * `authMode` `none` from the identity headers, where a missing `X-Roles` means an administrator.
 */
export function createAuthenticationHook(deps: AuthDeps): AuthenticationHook {
  const isPublic = (path: string) =>
    !needsIdentity(path) || path === alertmanagerPath || (deps.webhooksAuth === false && isWebhook(path));
  if (deps.authMode === 'none') {
    return async (request) => {
      if (needsIdentity(routedPath(request))) request.caller = callerOfHeaders(request);
    };
  }
  if (!deps.identity) throw new Error('keystone authentication needs an identity service');
  const cacheMs = (deps.tokenCacheSeconds ?? defaultCacheSeconds) * 1000;
  const validate = createTokenValidator(deps.identity, deps.clock, cacheMs);
  const gate = createUnknownTokenGate(() => deps.rates?.unknownTokensPerMinute ?? 0, deps.clock);
  return async (request, reply) => {
    if (!isPublic(routedPath(request))) await authenticate(deps, validate, gate, request, reply);
  };
}

function isWebhook(path: string): boolean {
  return path.startsWith('/v1/webhooks/');
}

async function authenticate(
  deps: AuthDeps,
  validate: TokenValidator,
  gate: UnknownTokenGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const token = headerText(request, 'x-auth-token');
  if (!token) return refuse(deps, reply);
  try {
    const validated = await validateBoth(validate, request, token, (call, unknown) =>
      gate(request.clientAddress, unknown, call),
    );
    if (!validated) return await refuse(deps, reply);
    const { userId, userName, projectId, projectName, domainId, systemScope, roles } = validated;
    request.caller = { userId, userName, projectId, projectName, domainId, systemScope, roles };
    request.credentials = {
      // A service may pass on an expired token. Keystone decides how long it stays valid.
      expiresAt: hasServiceToken(request) ? Number.POSITIVE_INFINITY : Date.parse(validated.expiresAt),
      isValid: async () => (await validateBoth(validate, request, token)) !== null,
    };
  } catch (error) {
    if (error instanceof TooManyTokensError) {
      reply.header('Retry-After', String(error.waitSeconds));
      throw error;
    }
    deps.logger.warn({ error: messageOf(error), requestId: request.id }, 'cannot reach identity service');
    await reply
      .code(503)
      .header('Retry-After', 5)
      .removeHeader('X-OpenStack-Request-ID')
      .type('text/plain')
      .send('Keystone is not reachable; the token cannot be validated.\n');
  }
}

function hasServiceToken(request: FastifyRequest): boolean {
  return headerText(request, 'x-service-token') !== null;
}

/** A service that passes on a user's token also sends its own. The user's token may have expired on the way. */
async function validateBoth(
  validate: TokenValidator,
  request: FastifyRequest,
  token: string,
  admit?: Parameters<TokenValidator>[1]['admit'],
): Promise<ValidatedToken | null> {
  const options = { requestId: request.id, admit };
  const serviceToken = headerText(request, 'x-service-token');
  if (!serviceToken) return validate(token, options);
  const service = await validate(serviceToken, options);
  if (!service) return null;
  const allowExpired = service.roles.some((role) => role.toLowerCase() === serviceRole);
  return validate(token, { ...options, allowExpired });
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
    userName: headerText(request, 'x-user-name'),
    projectId: headerText(request, 'x-project-id'),
    projectName: headerText(request, 'x-project-name'),
    roles: roles === null ? ['admin'] : roles.split(',').map((role) => role.trim()),
  };
}

function headerText(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
