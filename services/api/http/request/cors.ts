import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routedPath } from './request-context.ts';
import { needsIdentity } from './rewrite-url.ts';

const allowedMethods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const allowedHeaders = [
  'X-Auth-Token',
  'X-Identity-Status',
  'X-Roles',
  'X-Service-Catalog',
  'X-User-Id',
  'X-Tenant-Id',
  'X-OpenStack-Request-ID',
  'OpenStack-API-Version',
  'X-Show-Deleted',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
];
/** Headers that need no CORS permission. */
const simpleHeaders = ['accept', 'accept-language', 'content-language', 'content-type', 'cache-control', 'expires'];
const exposedHeaders = [
  'X-Auth-Token',
  'X-Subject-Token',
  'X-Service-Token',
  'X-OpenStack-Request-ID',
  'ETag',
  'Location',
  'X-Vigil-Time',
  'Warning',
];
/** Seconds for which a browser may cache a preflight response. */
const maxAgeSeconds = 3600;

/**
 * Cross-origin requests of browsers, when `origins` names any (`*` for all). Preflight requests carry no token, so they
 * get their response before authentication. Call before that hook is added.
 */
export function installCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const permitted = new Set(origins);
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (typeof origin !== 'string' || origin === '' || !isShared(routedPath(request))) return;
    const allowed = allowedOrigin(permitted, origin);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      if (allowed !== null) sendPreflight(request, reply, allowed);
      await reply.code(200).header('Content-Length', '0').send();
      return;
    }
    if (allowed === null) return;
    allowOrigin(reply, allowed);
    reply.header('Access-Control-Expose-Headers', exposedHeaders.join(','));
  });
}

function sendPreflight(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  const method = String(request.headers['access-control-request-method']);
  const wanted = String(request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = [...simpleHeaders, ...allowedHeaders.map((name) => name.toLowerCase())];
  if (!allowedMethods.includes(method)) return;
  if (wanted.some((name) => !known.includes(name.toLowerCase()))) return;
  allowOrigin(reply, origin);
  reply.header('Access-Control-Allow-Methods', method);
  reply.header('Access-Control-Max-Age', String(maxAgeSeconds));
  if (wanted.length > 0) reply.header('Access-Control-Allow-Headers', wanted.join(','));
}

function allowedOrigin(permitted: ReadonlySet<string>, origin: string): string | null {
  if (permitted.has(origin)) return origin;
  return permitted.has('*') ? '*' : null;
}

/** Other origins may use the API, but not the dashboard and its sessions. */
function isShared(path: string): boolean {
  return needsIdentity(path) || path === '/' || path.startsWith('/?');
}

/** `*` is allowed without credentials only. Clients send tokens in a header, and cookies belong to the dashboard. */
function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header('Access-Control-Allow-Origin', origin);
  if (origin !== '*') reply.header('Access-Control-Allow-Credentials', 'true');
  reply.header('Vary', 'Origin');
}
