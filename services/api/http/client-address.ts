import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Address of the client: the peer, or with `proxyHeaders` what the trusted proxy before the API has added to
 * `X-Forwarded-For`, which is the last entry; those before it are the client's own words. What is no address is not believed.
 */
export function clientAddress(request: Pick<FastifyRequest, 'headers' | 'ip'>, proxyHeaders: boolean): string {
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join() : header;
  const last = text?.split(',').at(-1)?.trim() ?? '';
  return proxyHeaders && isIP(last) !== 0 ? last : request.ip;
}
