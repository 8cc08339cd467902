import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Whether a request may read `/metrics`: anybody without a token; with one, whoever bears it (`Authorization: Bearer …`, as Prometheus sends
 * it with `authorization.credentials`). Takes as long for a wrong one as for the right one.
 */
export function mayReadMetrics(request: Pick<IncomingMessage, 'headers'>, token: string | undefined): boolean {
  if (token === undefined) return true;
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** Headers of the refusal (401). */
export const metricsChallenge = { 'www-authenticate': 'Bearer realm="metrics"' } as const;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
