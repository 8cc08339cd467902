import type { ApiDeps } from '../api-deps.ts';
import type { Outcomes } from '../http/request/outcome-hook.ts';

/** Few buckets: each of them, per route and status, is a series. */
const buckets = [0.05, 0.5, 5];

/** Counts requests and measures their durations by method, route pattern and status. */
export function installHttpMetrics(outcomes: Outcomes, deps: Pick<ApiDeps, 'metrics' | 'logger'>): void {
  const labels = ['method', 'route', 'status'];
  const durations = deps.metrics.histogram('vigil_api_request_seconds', 'Duration of HTTP requests', labels, buckets);
  outcomes.add((request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    deps.logger.debug(
      {
        requestId: request.id,
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(request.clientLeft ? { clientLeft: true } : {}),
      },
      'request',
    );
  });
}
