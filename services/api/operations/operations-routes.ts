import type { FastifyInstance } from 'fastify';
import { type Metrics, mayReadMetrics, metricsChallenge, reportFor } from '#libs/service-kit';
import type { ApiDeps } from '../api-deps.ts';

/** The response of `/healthcheck` in the form that a client requests. */
interface HealthcheckResponse {
  status: 200 | 204;
  type: string;
  body: string;
}

/**
 * The response of `/healthcheck`, as oslo.middleware without back ends: the process is alive. Plain text unless
 * `accept` prefers JSON or HTML. HEAD, which load balancers send, gets 204.
 */
export function healthcheckResponse(request: {
  method?: string | undefined;
  headers: { accept?: string | undefined };
}): HealthcheckResponse {
  const [wanted = ''] = (request.headers.accept ?? '').split(',');
  const status = request.method === 'HEAD' ? 204 : 200;
  if (/application\/json/i.test(wanted)) {
    return { status, type: 'application/json', body: JSON.stringify({ detailed: false, reasons: ['OK'] }, null, 4) };
  }
  if (/text\/html/i.test(wanted)) {
    const body = '<HTML><HEAD><TITLE>Healthcheck Status</TITLE></HEAD><BODY><P>Result of 1 check: OK</P></BODY></HTML>';
    return { status, type: 'text/html; charset=UTF-8', body };
  }
  return { status, type: 'text/plain; charset=UTF-8', body: 'OK' };
}

type Exposition = Awaited<ReturnType<Metrics['expose']>>;

/** Cache time of an exposition in milliseconds. No client scrapes more often. */
const keptMs = 1000;

/**
 * `/healthz` and Watcher's `/healthcheck` (liveness), `/readyz` (readiness, with reasons for local clients only) and
 * `/metrics`. All are public, except that `/metrics` may need a token.
 */
export function registerOperationsRoutes(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'readiness' | 'metrics' | 'metricsToken'>,
): void {
  const expose = shareExposition(deps.metrics);
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthcheck',
    ...hidden,
    async handler(request, reply) {
      const { status, type, body } = healthcheckResponse(request);
      return reply.code(status).type(type).serializer(String).send(body);
    },
  });
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

/**
 * Makes the exposition at most once a second for any number of clients. It takes tens of milliseconds, during which no
 * other request is served.
 */
export function shareExposition(metrics: Pick<Metrics, 'expose'>): () => Promise<Exposition> {
  let kept: { at: number; exposition: Promise<Exposition> } | null = null;
  return () => {
    const now = performance.now();
    if (kept === null || now - kept.at >= keptMs) {
      const made = { at: now, exposition: metrics.expose() };
      made.exposition.catch(() => {
        if (kept === made) kept = null;
      });
      kept = made;
    }
    return kept.exposition;
  };
}
