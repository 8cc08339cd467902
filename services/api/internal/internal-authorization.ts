import type { FastifyRequest } from 'fastify';
import { authorize, type Policy } from '../auth/policy.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Makes the hook that lets only callers in whom `internal:read` (reads) or `internal:write` (everything else) allows. */
export function createInternalAuthorization(policy: Policy) {
  return async (request: FastifyRequest): Promise<void> => {
    authorize(policy, request, readingMethods.has(request.method) ? 'internal:read' : 'internal:write');
  };
}
