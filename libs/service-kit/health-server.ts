import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { OperatorError } from '#libs/domain';
import type { Metrics } from './create-metrics.ts';
import type { Readiness, ReadinessReport } from './readiness.ts';

/** Addresses of clients on the same machine, as Node writes them. */
const loopback = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;

/** Headers by which a local proxy forwards a client that may be remote. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Headers of the refusal (401). */
export const metricsChallenge = { 'www-authenticate': 'Bearer realm="metrics"' } as const;

interface HealthParts {
  readiness: Readiness;
  metrics: Metrics;
  /** The token that `/metrics` requires. Default none. */
  metricsToken?: string | undefined;
  /** Responses on further paths, for local clients only: they show the configuration of the process. */
  answers?: ReadonlyMap<string, () => Promise<object>>;
}

/** Where the health server listens. */
interface HealthAddress {
  /** 0: a free port. */
  port: number;
  /** Address or name. Default 127.0.0.1. */
  host?: string;
}

/** Why it cannot listen, as text for operators. */
const listenFaults: Record<string, ((address: Required<HealthAddress>) => string) | undefined> = {
  EADDRINUSE: ({ port }) => `port ${port} (VIGIL_HEALTH_PORT) is in use`,
  EADDRNOTAVAIL: ({ host }) => `${host} (VIGIL_HEALTH_HOST) is not an address of this machine`,
  ENOTFOUND: ({ host }) => `${host} (VIGIL_HEALTH_HOST) is not known`,
  EACCES: ({ port }) => `port ${port} (VIGIL_HEALTH_PORT) needs a privilege that this user has not`,
};

/**
 * Serves /healthz, /readyz, /metrics and `answers`, for processes without another HTTP server.
 * @returns the port and the stop function.
 * @throws OperatorError when it cannot listen there.
 */
export async function startHealthServer(
  { port, host = '127.0.0.1' }: HealthAddress,
  parts: HealthParts,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => response.destroy(error as Error));
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const fault = listenFaults[error.code ?? '']?.({ port, host });
      reject(fault === undefined ? error : new OperatorError(fault, { cause: error }));
    });
    server.listen(port, host, resolve);
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
  request: IncomingMessage,
  response: ServerResponse,
  { readiness, metrics, metricsToken, answers = new Map() }: HealthParts,
): Promise<void> {
  const { url: path = '/' } = request;
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const report = reportFor(request, await readiness.report());
    return sendJson(response, report.ready ? 200 : 503, report);
  }
  if (path === '/metrics') {
    if (!mayReadMetrics(request, metricsToken)) return refuseMetrics(response);
    const { contentType, body } = await metrics.expose();
    response.writeHead(200, { 'content-type': contentType }).end(body);
    return;
  }
  const isLocal = isFromSameMachine(request);
  const further = isLocal ? answers.get(path) : undefined;
  if (further) return sendJson(response, 200, await further());
  const known = ['/healthz', '/readyz', '/metrics', ...(isLocal ? answers.keys() : [])];
  sendJson(response, 404, { error: `there are ${known.join(', ')}` });
}

function refuseMetrics(response: ServerResponse): void {
  for (const [name, value] of Object.entries(metricsChallenge)) response.setHeader(name, value);
  sendJson(response, 401, { error: 'VIGIL_METRICS_TOKEN is needed' });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Whether a request may read `/metrics`: every request without a configured token, otherwise its bearers
 * (`Authorization: Bearer …`, as Prometheus sends it with `authorization.credentials`). Takes constant time.
 */
export function mayReadMetrics(request: Pick<IncomingMessage, 'headers'>, token: string | undefined): boolean {
  if (token === undefined) return true;
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether a request is from this machine. False for forwarded requests. */
function isFromSameMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  return loopback.test(socket.remoteAddress ?? '') && proxyHeaders.every((name) => headers[name] === undefined);
}

/** The part of a report for a client. Reasons name hosts, ports and databases, which remote callers must not see. */
export function reportFor(request: Parameters<typeof isFromSameMachine>[0], report: ReadinessReport): ReadinessReport {
  if (isFromSameMachine(request)) return report;
  const checks = report.checks.map((check) => ({
    ...check,
    reason: check.ok ? null : 'shown on the same machine only',
  }));
  return { ...report, checks };
}
