import type { FastifyRequest } from 'fastify';
import { ApiFault } from '../http/fault.ts';

/** Header that a page of another origin can not send without a permission that the API never gives for cookies. */
export const dashboardHeader = 'x-vigil-dashboard';
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that change something and may come from a page of another origin: they need the dashboard's header,
 * and the origin that the browser names must be the API's own.
 * @throws ApiFault 403
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return;
  if (request.headers[dashboardHeader] === undefined) throw refusal(`the header ${dashboardHeader} is missing`);
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string' && site !== 'same-origin') throw refusal(`it comes from ${site}`);
  if (origin === undefined && site === undefined) throw refusal('it names no origin');
  if (origin !== undefined && !isOwn(request, origin)) throw refusal(`its origin is ${origin}`);
}

function isOwn(request: FastifyRequest, origin: string): boolean {
  if (origin === new URL(request.base.app).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

function refusal(because: string): ApiFault {
  return new ApiFault(403, `A request with a session cookie is refused: ${because}`);
}
