import type { FastifyRequest } from 'fastify';
import { ApiFault } from '../faults/fault.ts';

/**
 * Header that a page of another origin cannot send without a CORS permission, which the API never gives for cookies.
 */
export const dashboardHeader = 'x-vigil-dashboard';
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests from a page of another origin, as far as the browser names one. Requests that change something need
 * the dashboard's header and an `Origin` that equals the API's.
 * @throws ApiFault 403
 */
export function requireSameOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (safeMethods.has(request.method)) {
    // Browsers send SameSite cookies from other ports and sister domains too, and CORS may let these read the
    // response.
    if (origin !== undefined && !isOwnOrigin(request, origin)) throw refusal(`its origin is ${origin}`);
    return;
  }
  if (request.headers[dashboardHeader] === undefined) throw refusal(`the header ${dashboardHeader} is missing`);
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string' && site !== 'same-origin') throw refusal(`it comes from ${site}`);
  if (origin === undefined && site === undefined) throw refusal('it names no origin');
  if (origin !== undefined && !isOwnOrigin(request, origin)) throw refusal(`its origin is ${origin}`);
}

/** Whether an origin is the one that the request was sent to. */
export function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  if (origin === new URL(request.base.app).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

function refusal(because: string): ApiFault {
  return new ApiFault(403, `A request with a session cookie is refused: ${because}`);
}
