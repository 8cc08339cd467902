import type { FastifyInstance } from 'fastify';
import type { Simulation } from '../create-simulation.ts';
import { SimulatedApiError } from '../errors.ts';
import { unauthorizedMessage } from '../identity/authenticate.ts';
import { contextOf } from './request-context.ts';

/** Text of a header, or undefined. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** All routes of the scope need a token that is valid and scoped, but those for which `isPublic` is true. */
export function requireToken(
  scope: FastifyInstance,
  simulation: Simulation,
  isPublic: (path: string) => boolean,
): void {
  scope.addHook('onRequest', async (request) => {
    const context = contextOf(request);
    const token = simulation.tokens.find(headerText(request.headers['x-auth-token']));
    if (token !== undefined) context.token = token;
    else if (!isPublic(request.url.split('?', 1)[0] as string)) throw new SimulatedApiError(401, unauthorizedMessage);
  });
}
