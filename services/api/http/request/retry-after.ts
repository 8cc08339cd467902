import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The status whose error class in python-watcherclient has a time to wait. */
const payloadTooLarge = 413;

/**
 * Whether the client can read `Retry-After` in a response of this status. Python-watcherclient (also in Horizon) passes
 * the header to every error class, and all but one refuse it: the user then sees a TypeError instead of the message.
 */
export function readsRetryAfter(headers: IncomingHttpHeaders, status: number): boolean {
  return status === payloadTooLarge || !/^python-watcherclient\b/.test(headers['user-agent'] ?? '');
}

/** Removes `Retry-After` from responses to clients that cannot read it. */
export function installRetryAfter(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.hasHeader('Retry-After') && !readsRetryAfter(request.headers, reply.statusCode)) {
      reply.removeHeader('Retry-After');
    }
    return payload;
  });
}
