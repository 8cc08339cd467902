import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type Clock, ConfigurationError } from '#libs/domain';
import { injectFault } from '../faults/error-handler.ts';
import { type ClientLimit, createClientLimit, maxClients } from './client-limit.ts';
import { anonymousCaller, routedPath } from './request-context.ts';
import { needsIdentity } from './rewrite-url.ts';
import { sessionIdOf } from './session-cookie.ts';

/** Requests per client (a valid token or session, or else address) below `/v1` and `/internal`. */
export interface RateLimits {
  /** Per minute on average, with a burst of the same size. Read each time. 0: unlimited. */
  perMinute(): number;
  /** The same for single routes, such as `POST /v1/audits`. They count for `perMinute` too. */
  perRoute?: ReadonlyMap<string, number>;
}

/** The client that a request counts for. */
interface Account {
  limits: ClientLimit[];
  /** Digest of the token or session that the request brought. Null without one. */
  secret: string | null;
  client: string;
}

/**
 * Refuses excess requests with 429 and `Retry-After`. Each process has its own limits. A credential gets a separate
 * bucket only after it was validated. Until then, and for an invalid one, the request counts for the address.
 * @returns the hook to be added after the authentication where that has checked the tokens
 * @throws ConfigurationError when the application is ready and has no such route
 */
export function installRateLimit(
  app: FastifyInstance,
  { perMinute, perRoute }: RateLimits,
  clock: Clock,
): onRequestAsyncHookHandler {
  const limits = new Map([...(perRoute ?? [])].map(([route, limit]) => [route, createClientLimit(() => limit, clock)]));
  const ofAll = createClientLimit(perMinute, clock);
  const valid = new Set<string>();
  const accounts = new WeakMap<FastifyRequest, Account>();
  app.addHook('onRequest', async (request, reply) => {
    if (!needsIdentity(routedPath(request))) return;
    const all = perMinute() > 0 ? [ofAll] : [];
    const ofRoute = limits.get(`${request.method} ${request.routeOptions.url ?? ''}`);
    if (all.length === 0 && !ofRoute) return;
    const secret = secretOf(request);
    const client = secret !== null && valid.has(secret) ? secret : request.clientAddress;
    const account = { limits: ofRoute ? [...all, ofRoute] : all, secret, client };
    accounts.set(request, account);
    await refuseOneTooMany(reply, account);
  });
  app.addHook('onReady', async () => {
    for (const route of limits.keys()) {
      const [method = '', url = ''] = route.split(' ');
      if (!app.hasRoute({ method, url }))
        throw new ConfigurationError([`VIGIL_API_ROUTE_LIMITS: unknown route ${route}`]);
    }
  });
  return async (request, reply) => {
    const account = accounts.get(request);
    if (!account || account.secret === null || request.caller === anonymousCaller) return;
    remember(valid, account.secret);
    if (account.client === account.secret) return;
    for (const limit of account.limits) limit.giveBack(account.client);
    await refuseOneTooMany(reply, { ...account, client: account.secret });
  };
}

async function refuseOneTooMany(reply: FastifyReply, { limits, client }: Account): Promise<void> {
  const waitSeconds = Math.max(0, ...limits.map((limit) => limit.take(client)));
  if (waitSeconds === 0) return;
  reply.header('Retry-After', String(waitSeconds));
  await injectFault(reply, { status: 429, faultstring: 'Too many requests; try again later' });
}

/** Moves the client to the end, so that the first is the least recently used. */
function remember(valid: Set<string>, secret: string): void {
  valid.delete(secret);
  if (valid.size >= maxClients) valid.delete(valid.values().next().value ?? secret);
  valid.add(secret);
}

/** Digest of the token, or else of the dashboard session. */
function secretOf(request: FastifyRequest): string | null {
  const token = request.headers['x-auth-token'];
  const secret = token === undefined ? sessionIdOf(request) : token;
  if (typeof secret !== 'string' || secret === '') return null;
  return createHash('sha256').update(secret).digest('base64');
}
