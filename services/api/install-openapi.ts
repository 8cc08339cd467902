import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { clusterPastSchemas, historyFullestSchemas } from '#libs/messaging';
import { alertSchemas } from './alerts/alert-schemas.ts';
import { isInternal } from './http/request/rewrite-url.ts';
import { notificationSchemas } from './notification-targets/notification-schemas.ts';
import { documentOptions } from './openapi/document-options.ts';
import { faultSchema, patchSchema, unauthorizedSchema } from './openapi/shared-schemas.ts';
import { rootSchemas } from './routes/root-routes.ts';
import { actionPlanSchemas } from './routes/v1/action-plans/schema.ts';
import { actionSchemas } from './routes/v1/actions/schema.ts';
import { auditTemplateSchemas } from './routes/v1/audit-templates/schema.ts';
import { auditSchemas } from './routes/v1/audits/schema.ts';
import { dataModelSchemas } from './routes/v1/data-model/schema.ts';
import { pluginSchemas } from './routes/v1/plugins/schema.ts';
import { goalSchemas } from './routes/v1/read-only/goals.ts';
import { scoringEngineSchemas } from './routes/v1/read-only/scoring-engines.ts';
import { serviceSchemas } from './routes/v1/read-only/services.ts';
import { strategySchemas } from './routes/v1/read-only/strategies.ts';
import { reportSchemas } from './routes/v1/report/schema.ts';
import { watchSchemas } from './routes/v1/watch/schema.ts';
import { whatIfComponents } from './routes/v1/what-if/schema.ts';

/** Every component of the OpenAPI document. */
export const componentSchemas = [
  faultSchema,
  unauthorizedSchema,
  patchSchema,
  ...rootSchemas,
  ...goalSchemas,
  ...strategySchemas,
  ...auditTemplateSchemas,
  ...auditSchemas,
  ...whatIfComponents,
  ...clusterPastSchemas,
  ...historyFullestSchemas,
  ...reportSchemas,
  ...alertSchemas,
  ...notificationSchemas,
  ...actionPlanSchemas,
  ...actionSchemas,
  ...scoringEngineSchemas,
  ...serviceSchemas,
  ...dataModelSchemas,
  ...pluginSchemas,
  ...watchSchemas,
];

/**
 * Generates the OpenAPI document from the routes and serves it at `/openapi.json` and `/docs`, which browsers reach
 * below `mountPrefix`. Call before the routes.
 */
export async function installOpenApi(app: FastifyInstance, mountPrefix: string): Promise<void> {
  for (const schema of componentSchemas) app.addSchema(schema);
  await app.register(fastifySwagger, {
    ...documentOptions({
      title: 'Vigil',
      version: '1.7',
      description:
        'REST API of Vigil, compatible with OpenStack Watcher API v1, microversions 1.0 to 1.7. Operations marked as extensions are Vigil’s own.',
    }),
    // The internal surface has a separate document.
    transform: ({ schema, url }) => ({ schema: isInternal(url) ? { ...schema, hide: true } : schema, url }),
  });
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    indexPrefix: mountPrefix,
    // The page contains inline styles. Everything else comes from its files, and no page may frame it.
    staticCSP: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
