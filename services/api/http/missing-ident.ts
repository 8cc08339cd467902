import type { FastifyInstance } from 'fastify';
import { badRequest } from './fault.ts';

/** Routes of operations on one object, without the object: Watcher names the argument that is missing. */
export function refuseWithoutIdent(
  app: FastifyInstance,
  argument: string,
  routes: readonly (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string])[],
): void {
  for (const [method, url] of routes) {
    app.route({
      method,
      url,
      schema: { hide: true },
      handler: async () => {
        throw badRequest(`Missing argument: "${argument}"`);
      },
    });
  }
}
