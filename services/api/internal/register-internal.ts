import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorize, type Policy } from '../auth/policy.ts';
import { compressText } from '../http/request/compress-text.ts';
import { registerAuditLogRoutes } from './audit-log/routes.ts';
import { registerFindRoutes } from './cluster/find-routes.ts';
import { registerClusterRoutes } from './cluster/routes.ts';
import { registerDeadLetterRoutes } from './dead-letters/routes.ts';
import { registerDeploymentRoutes } from './deployment/routes.ts';
import { registerForecastRoutes } from './forecasts/routes.ts';
import { registerHistoryRoutes } from './history/routes.ts';
import type { InternalDeps } from './internal-deps.ts';
import { createInternalVersionHook } from './internal-version.ts';
import { registerListRoutes } from './lists/routes.ts';
import { registerMoveRoutes } from './moves/routes.ts';
import { installInternalOpenApi } from './openapi/internal-openapi.ts';
import { registerPlacementRuleRoutes } from './placement-rules/routes.ts';
import { registerPlanTotalRoutes } from './plan-totals/routes.ts';
import { createProperties } from './properties/create-properties.ts';
import { registerPropertyRoutes } from './properties/routes.ts';
import { registerServiceRoutes } from './services/routes.ts';
import { registerTaskRoutes } from './tasks/routes.ts';
import { registerPlanEndRoute } from './trends/plan-end-routes.ts';
import { registerTrendRoutes } from './trends/routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Rules that an internal route requires instead of `internal:read`, because it shows data of public routes. */
    rules?: readonly string[];
  }
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The internal surface for the dashboard and operators, a plugin to be mounted at `/internal`. It has a separate
 * document, version and policy rules. Tokens and faults are those of the public API, whose code must not import it.
 */
export async function registerInternal(app: FastifyInstance, { deps }: { deps: InternalDeps }): Promise<void> {
  // A plugin with its own schemas does not inherit these.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  // Routes with an entity tag set their own header.
  app.addHook('onRequest', async (_request, reply) => void reply.header('Cache-Control', 'no-store'));
  app.addHook('onRequest', createInternalVersionHook(deps.version));
  app.addHook('onRequest', createInternalAuthorization(deps.policy));
  app.addHook('onSend', compressText);
  await installInternalOpenApi(app, deps.version);
  const properties = createProperties(deps);
  // One line per area: its routes are `services/api/internal/<area>/routes.ts`.
  registerDeploymentRoutes(app, deps);
  registerServiceRoutes(app, deps);
  registerClusterRoutes(app, properties);
  registerFindRoutes(app, deps);
  registerPropertyRoutes(app, properties);
  registerHistoryRoutes(app, deps);
  registerForecastRoutes(app, deps);
  registerTaskRoutes(app, deps);
  registerAuditLogRoutes(app, deps);
  registerPlanTotalRoutes(app, deps);
  registerListRoutes(app, deps);
  registerMoveRoutes(app, deps);
  registerTrendRoutes(app, deps);
  registerPlanEndRoute(app, deps);
  registerDeadLetterRoutes(app, deps);
  registerPlacementRuleRoutes(app, deps);
}

/**
 * Makes the hook that admits callers with `internal:read` (reads), `internal:write` (everything else) or the route's
 * own rules.
 */
function createInternalAuthorization(policy: Policy) {
  return async (request: FastifyRequest): Promise<void> => {
    const own = request.routeOptions.config.rules;
    for (const rule of own ?? [readingMethods.has(request.method) ? 'internal:read' : 'internal:write'])
      authorize(policy, request, rule);
  };
}
