import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../http/api-deps.ts';

/** Counts requests and measures their durations by method, route pattern and status. */
export function installHttpMetrics(app: FastifyInstance, deps: Pick<ApiDeps, 'metrics' | 'logger'>): void {
  const durations = deps.metrics.histogram('vigil_api_request_seconds', 'Duration of HTTP requests', [
    'method',
    'route',
    'status',
  ]);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    deps.logger.debug(
      {
        requestId: request.id,
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
