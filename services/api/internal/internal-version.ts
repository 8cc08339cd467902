import type { FastifyReply, FastifyRequest } from 'fastify';
import { injectFault } from '../http/faults/error-handler.ts';

/** Header of requests and responses of the internal surface. */
export const internalVersionHeader = 'X-Vigil-Internal-Version';

/** The document states the version to request, so it needs none. */
const withoutVersion = new Set(['/internal/openapi.json']);

/**
 * Makes the hook that checks the version of the internal surface, which may change with every major version. A request
 * must name its target version, else it is refused with 426.
 */
export function createInternalVersionHook(version: string) {
  const major = majorOf(version);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header(internalVersionHeader, version);
    if (withoutVersion.has(request.routeOptions.url ?? '')) return;
    const requested = request.headers[internalVersionHeader.toLowerCase()];
    if (typeof requested === 'string' && majorOf(requested) === major) return;
    reply.header('Upgrade', `vigil-internal/${major}`);
    const found = typeof requested === 'string' ? `not "${requested}"` : 'which is missing';
    await injectFault(reply, {
      status: 426,
      faultstring: `This build serves version ${major} of the internal API: the header ${internalVersionHeader} must say so, ${found}.`,
    });
  };
}

/** The first number of `1`, `1.4` or `1.4.0`. Null for anything else. */
function majorOf(version: string): string | null {
  return /^(\d+)(\.\d+){0,2}(-[\w.]+)?$/.exec(version.trim())?.[1] ?? null;
}
