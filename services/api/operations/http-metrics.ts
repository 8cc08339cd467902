import type { ApiDeps } from '../api-deps.ts';
import type { Outcomes } from '../http/request/outcome-hook.ts';

/** Few buckets: each of them, per route and status, is a series. */
const buckets = [0.05, 0.5, 5];

/**
 * Counts requests and measures their durations by method, route pattern and status. Refusals share the status `4xx`, so
 * that clients cannot make a series for each status of each route.
 */
export function installHttpMetrics(outcomes: Outcomes, deps: Pick<ApiDeps, 'metrics' | 'logger'>): void {
  const labels = ['method', 'route', 'status'];
  const durations = deps.metrics.histogram('vigil_api_request_seconds', 'Duration of HTTP requests', labels, buckets);
  const refusals = deps.metrics.counter('vigil_api_refusals_total', 'Refused requests by status', ['status']);
  outcomes.add((request, reply) => {
    const { url: route } = request.routeOptions;
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
    const matched = route === undefined ? { method: 'any', route: 'none' } : { method: request.method, route };
    durations.observe({ ...matched, status: isRefused ? '4xx' : reply.statusCode }, reply.elapsedTime / 1000);
    if (isRefused) refusals.inc({ status: reply.statusCode });
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
