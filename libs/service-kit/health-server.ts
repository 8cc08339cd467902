import { createServer, type ServerResponse } from 'node:http';
import { OperatorError } from '#libs/domain';
import type { Metrics } from './create-metrics.ts';
import type { Readiness } from './readiness.ts';

interface HealthParts {
  readiness: Readiness;
  metrics: Metrics;
  /** Answers on further paths. */
  answers?: ReadonlyMap<string, () => Promise<object>>;
}

/**
 * Serves /healthz, /readyz, /metrics and `answers` on loopback, for processes without another HTTP server.
 * @returns the port and the stop function.
 * @throws OperatorError when the port is taken.
 */
export async function startHealthServer(
  port: number,
  parts: HealthParts,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response, parts).catch((error: unknown) => response.destroy(error as Error));
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new OperatorError(`port ${port} (VIGIL_HEALTH_PORT) is in use`, { cause: error })
          : error,
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  path: string,
  response: ServerResponse,
  { readiness, metrics, answers }: HealthParts,
): Promise<void> {
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const report = await readiness.report();
    return sendJson(response, report.ready ? 200 : 503, report);
  }
  if (path === '/metrics') {
    const { contentType, body } = await metrics.expose();
    response.writeHead(200, { 'content-type': contentType }).end(body);
    return;
  }
  const further = answers?.get(path);
  if (further) return sendJson(response, 200, await further());
  const known = ['/healthz', '/readyz', '/metrics', ...(answers?.keys() ?? [])];
  sendJson(response, 404, { error: `there are ${known.join(', ')}` });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
