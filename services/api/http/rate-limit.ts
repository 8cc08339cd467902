import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Clock, OperatorError } from '#libs/domain';
import { answerFault } from './error-handler.ts';
import { needsIdentity } from './rewrite-url.ts';

const maxClients = 10_000;

/** How many requests below `/v1` and `/internal` a client (a token, or an address without one) may make. */
export interface RateLimits {
  /** On average, as many at once; 0: no limit. */
  perMinute: number;
  /** The same for single routes, such as `POST /v1/audits`; they count for `perMinute` too. */
  perRoute?: ReadonlyMap<string, number>;
}

interface Bucket {
  /** Requests that may be made at once. */
  left: number;
  at: number;
}

/**
 * Answers one request too many with 429 and `Retry-After`. The limits are kept by each process.
 * @throws OperatorError when the application is ready and has no such route
 */
export function installRateLimit(app: FastifyInstance, { perMinute, perRoute }: RateLimits, clock: Clock): void {
  const limits = new Map([...(perRoute ?? [])].map(([route, limit]) => [route, createLimit(limit, clock)]));
  const all = perMinute > 0 ? createLimit(perMinute, clock) : null;
  if (all === null && limits.size === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!needsIdentity(request.url)) return;
    const client = clientOf(request);
    const ofRoute = limits.get(`${request.method} ${request.routeOptions.url ?? ''}`);
    const waitSeconds = Math.max(all?.take(client) ?? 0, ofRoute?.take(client) ?? 0);
    if (waitSeconds === 0) return;
    reply.header('Retry-After', String(waitSeconds));
    await answerFault(reply, { status: 429, faultstring: 'Too many requests; try again later' });
  });
  app.addHook('onReady', async () => {
    for (const route of limits.keys()) {
      const [method = '', url = ''] = route.split(' ');
      if (!app.hasRoute({ method, url })) throw new OperatorError(`VIGIL_API_ROUTE_LIMITS: there is no route ${route}`);
    }
  });
}

/** Buckets of one limit. `take` answers 0, or for how many seconds the client has to wait. */
function createLimit(perMinute: number, clock: Clock): { take(client: string): number } {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  return {
    take(client) {
      const now = clock.now();
      const bucket = buckets.get(client) ?? { left: perMinute, at: now };
      const left = Math.min(perMinute, bucket.left + (now - bucket.at) * perMs);
      // Put last, so that the first of the map is the client that has been silent for longest.
      buckets.delete(client);
      if (buckets.size >= maxClients) buckets.delete(buckets.keys().next().value ?? client);
      buckets.set(client, { left: left < 1 ? left : left - 1, at: now });
      return left >= 1 ? 0 : Math.ceil((1 - left) / perMs / 1000);
    },
  };
}

function clientOf(request: FastifyRequest): string {
  const token = request.headers['x-auth-token'];
  if (typeof token !== 'string' || token === '') return request.clientAddress;
  return createHash('sha256').update(token).digest('base64');
}
