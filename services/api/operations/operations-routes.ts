import type { FastifyInstance } from 'fastify';
import { reportFor } from '#libs/service-kit';
import type { ApiDeps } from '../http/api-deps.ts';
import { shareExposition } from './shared-exposition.ts';

/** `/healthz` (the process answers), `/readyz` (what it depends on is usable; why not, to this machine only) and `/metrics`; all public. */
export function registerOperationsRoutes(app: FastifyInstance, deps: Pick<ApiDeps, 'readiness' | 'metrics'>): void {
  const expose = shareExposition(deps.metrics);
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (request, reply) => {
    const report = reportFor(request.raw, await deps.readiness.report());
    return reply.code(report.ready ? 200 : 503).send(report);
  });
  app.get('/metrics', hidden, async (_request, reply) => {
    const { contentType, body } = await expose();
    return reply.type(contentType).serializer(String).send(body);
  });
}
