import type { FastifyReply, FastifyRequest } from 'fastify';
import { injectFault } from '../http/faults/error-handler.ts';
import { hostnameOf, isLoopback } from '../http/request/host.ts';
import { isOwnOrigin } from '../http/request/same-origin.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A page of another origin cannot send any of these headers without a CORS permission, which it does not get. */
const ownHeaders = ['x-vigil-dashboard', 'x-vigil-internal-version', 'x-auth-token', 'openstack-api-version'];

/**
 * Makes the hook that blocks web pages while authentication is off. Every local caller is an administrator then,
 * including any page in a local browser. It refuses with 403: a foreign `Host` (DNS rebinding), a foreign `Origin`, and
 * changes that an HTML form of another page could send (no JSON, none of our headers).
 */
export function createLocalOnlyHook({
  publicUrl,
  corsOrigins,
}: {
  publicUrl?: string;
  corsOrigins?: readonly string[];
}) {
  const publicHost = publicUrl === undefined ? null : hostnameOf(new URL(publicUrl).host);
  const permitted = new Set(corsOrigins ?? []);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const reason = refusalOf(request, publicHost, permitted);
    if (reason === null) return;
    await injectFault(reply, {
      status: 403,
      faultstring: `Authentication is off, so the request is refused: ${reason}`,
    });
  };
}

/** A client without a `Host` header, which HTTP/1.0 allows, is not a browser. */
function isHere(host: string, publicHost: string | null): boolean {
  const hostname = hostnameOf(host);
  return hostname !== null && (isLoopback(hostname) || hostname === publicHost);
}

function refusalOf(request: FastifyRequest, publicHost: string | null, permitted: ReadonlySet<string>): string | null {
  if (request.headers.host !== undefined && !isHere(request.host, publicHost)) {
    return `the host ${request.host.slice(0, 80)} is not this machine`;
  }
  const { origin } = request.headers;
  if (origin !== undefined && !permitted.has(origin) && !isOwnOrigin(request, origin)) {
    return `its origin is ${origin.slice(0, 80)}`;
  }
  if (safeMethods.has(request.method) || request.is404) return null;
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site') return 'it comes from a page of another site';
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json' || ownHeaders.some((name) => request.headers[name] !== undefined)) return null;
  return `a change needs Content-Type: application/json, or the header ${ownHeaders[0]}`;
}
