import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#libs/domain';
import { answerFault } from './error-handler.ts';
import { needsIdentity } from './rewrite-url.ts';

const maxClients = 10_000;

interface Bucket {
  /** Requests that may be made at once. */
  left: number;
  at: number;
}

/**
 * Limits how many requests below `/v1` and `/internal` a client (a token, or an address without one) may make: `perMinute` on average,
 * as many at once; 0 is no limit. One more is answered 429 with `Retry-After`. The limit is kept by each process.
 */
export function installRateLimit(app: FastifyInstance, perMinute: number, clock: Clock): void {
  if (perMinute <= 0) return;
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  app.addHook('onRequest', async (request, reply) => {
    if (!needsIdentity(request.url)) return;
    const client = clientOf(request);
    const now = clock.now();
    const bucket = buckets.get(client) ?? { left: perMinute, at: now };
    const left = Math.min(perMinute, bucket.left + (now - bucket.at) * perMs);
    // Put last, so that the first of the map is the client that has been silent for longest.
    buckets.delete(client);
    if (buckets.size >= maxClients) buckets.delete(buckets.keys().next().value ?? client);
    buckets.set(client, { left: left < 1 ? left : left - 1, at: now });
    if (left >= 1) return;
    reply.header('Retry-After', String(Math.ceil((1 - left) / perMs / 1000)));
    await answerFault(reply, { status: 429, faultstring: 'Too many requests; try again later' });
  });
}

function clientOf(request: FastifyRequest): string {
  const token = request.headers['x-auth-token'];
  if (typeof token !== 'string' || token === '') return request.ip;
  return createHash('sha256').update(token).digest('base64');
}
