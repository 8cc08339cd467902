import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routingFaultBody } from '../faults/fault-body.ts';
import { isVersioned } from './rewrite-url.ts';

/** Paths that Watcher has without any method. */
const withoutMethods = /^\/v1\/data_model\/./;

/** Paths that Watcher does not know for GET, although they accept POST. */
const unknownToGet = /^\/v1\/action_plans\/[^/]+\/start$/;

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Tracks registered routes, so that a request without a route gets the right response: 405 with `Allow` when the path
 * exists with other methods, 200 for OPTIONS, else 404. Call before any route is registered.
 */
export function installRouteTable(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', (route) => {
    const entry = known.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) entry.methods.add(method);
    known.set(route.url, entry);
  });
  app.setNotFoundHandler(async (request, reply) => sendUnrouted([...known.values()], request, reply));
}

async function sendUnrouted(known: KnownPath[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method === 'OPTIONS') {
    await reply.code(200).header('Content-Length', '0').send();
    return;
  }
  const path = request.url.split('?')[0] ?? '';
  // For a path that Watcher does not know, it knows no method but GET either.
  const isHead = request.method === 'HEAD';
  const allowed = known.filter((entry) => entry.pattern.test(path)).flatMap((entry) => [...entry.methods]);
  const isKnown = allowed.length > 0 && !(request.method === 'GET' && unknownToGet.test(path));
  const isOnlyForGet = request.method !== 'GET' && isVersioned(path);
  const status = isKnown || isHead || isOnlyForGet || withoutMethods.test(path) ? 405 : 404;
  if (status === 405) reply.header('Allow', [...new Set(isKnown ? allowed : ['GET'])].sort().join(', '));
  reply.code(status).type('application/json');
  await reply.send(isHead ? undefined : routingFaultBody(status, describe(status, request.headers.accept)));
}

/** Watcher's JSON body has no description. Other clients get a page, which has the text. */
function describe(status: keyof typeof descriptions, accept: string | undefined): string {
  return accept?.includes('application/json') ? '' : descriptions[status];
}

const descriptions = {
  404: 'The resource could not be found.',
  405: 'The method is not allowed for this resource.',
} as const;

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:[a-zA-Z]+/g, '[^/]+').replaceAll('*', '.*')}$`);
}
