import type { FastifyInstance } from 'fastify';

/** When a route was deprecated, and its earliest removal: two releases later or more. */
export interface RouteDeprecation {
  since: Date;
  sunset: Date;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a deprecated route. Docs/api.md has the policy. */
    deprecation?: RouteDeprecation;
  }
}

/** Announces deprecated routes in every response: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export function installDeprecation(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.deprecation) route.schema = { ...route.schema, deprecated: true };
  });
  app.addHook('onRequest', async (request, reply) => {
    const { deprecation } = request.routeOptions.config;
    if (!deprecation) return;
    reply.header('Deprecation', `@${Math.floor(deprecation.since.getTime() / 1000)}`);
    reply.header('Sunset', deprecation.sunset.toUTCString());
  });
}
