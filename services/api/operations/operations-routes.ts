import type { FastifyInstance } from 'fastify';
import { mayReadMetrics, metricsChallenge, reportFor } from '#libs/service-kit';
import type { ApiDeps } from '../http/api-deps.ts';
import { shareExposition } from './shared-exposition.ts';

/** `/healthz` (the process answers), `/readyz` (what it depends on is usable; why not, to this machine only) and `/metrics`; public, but for a token of `/metrics`. */
export function registerOperationsRoutes(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'readiness' | 'metrics' | 'metricsToken'>,
): void {
  const expose = shareExposition(deps.metrics);
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (request, reply) => {
    const report = reportFor(request.raw, await deps.readiness.report());
    return reply.code(report.ready ? 200 : 503).send(report);
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!mayReadMetrics(request.raw, deps.metricsToken)) {
      return reply.code(401).headers(metricsChallenge).send({ error: 'VIGIL_METRICS_TOKEN is needed' });
    }
    const { contentType, body } = await expose();
    return reply.type(contentType).serializer(String).send(body);
  });
}
