import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Shorter responses are not compressed. */
export const compressedFromBytes = 1024;
/** Compresses a text outside of the event loop. */
export const compress = promisify(gzip);

/** An `onSend` hook that sends texts as gzip where the client accepts it. */
export async function compressText(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < compressedFromBytes) return payload;
  if (reply.hasHeader('Content-Encoding') || request.method === 'HEAD') return payload;
  addVary(reply, 'Accept-Encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  void reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length');
  return compress(payload);
}

/** Names a request header on which the response depends, once. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('Vary');
  if (before === undefined) void reply.header('Vary', name);
  else if (!String(before).split(', ').includes(name)) void reply.header('Vary', `${String(before)}, ${name}`);
}

/** Whether `gzip` (or `*`, unless gzip is named) is accepted with a quality above zero. */
export function takesGzip(header: string | string[] | undefined): boolean {
  const qualities = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(coding, quality === undefined ? 1 : Number(quality.slice(2)));
  }
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0;
}
