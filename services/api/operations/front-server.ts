import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '#libs/dependencies';
import {
  type Metrics,
  mayReadMetrics,
  metricsChallenge,
  type Readiness,
  reportFor,
  withTimeLimit,
} from '#libs/service-kit';
import { apiFaultBody } from '../http/faults/fault-body.ts';
import { closedFault, retryAfterSeconds } from '../http/request/gate-hook.ts';
import { type BaseUrlOptions, baseUrls } from '../http/request/links.ts';
import { readsRetryAfter } from '../http/request/retry-after.ts';
import { rewriteUrl } from '../http/request/rewrite-url.ts';
import { listen } from '../listen.ts';
import { rootDocument } from '../routes/root-routes.ts';
import { healthcheckResponse } from './operations-routes.ts';

/** The HTTP server of an API process. It listens before the application is ready. */
export interface FrontServer {
  /** URL of the server. */
  url: string;
  /** From now on the application handles requests. Null: again only health and 503. */
  use(app: FastifyInstance | null): void;
  /** Resolves when the application has finished all received requests, or after 5 s. */
  settled(): Promise<void>;
  /** Stops accepting connections. Idle ones close immediately, the others after a time limit. */
  stop(): Promise<void>;
}

interface FrontDeps extends BaseUrlOptions {
  gate: Pick<Gate, 'report'>;
  readiness: Readiness;
  metrics: Metrics;
  metricsToken?: string | undefined;
  /** Path below which a proxy publishes the API. May be empty. */
  mountPrefix: string;
}

/** Where the server listens. */
interface FrontAddress {
  host: string;
  port: number;
  /** Time limit for a client to send a request, in milliseconds. Default 30,000. */
  requestTimeoutMs?: number;
}

/** Same as the application's: longer than proxies keep idle connections. */
const keepAliveMs = 72_000;
/** Default time limit for a client to send a request. */
const defaultRequestTimeoutMs = 30_000;
/** Interval at which connections are checked for that limit. Node's default is 30 s. */
const connectionCheckMs = 1000;
/** Time limit for running requests at shutdown. */
const graceMs = 5_000;

/** @throws OperatorError when the port is in use or the address does not belong to this host. */
export async function startFrontServer(deps: FrontDeps, at: FrontAddress): Promise<FrontServer> {
  const requestTimeout = at.requestTimeoutMs ?? defaultRequestTimeoutMs;
  const limits = { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: connectionCheckMs };
  let application: FastifyInstance | null = null;
  const running = new Set<ServerResponse>();

  function pass(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
    running.add(response);
    response.once('close', () => running.delete(response));
    app.routing(request, response);
  }

  const server = createServer(limits, (request, response) => {
    if (application) pass(application, request, response);
    else serveBeforeStart(deps, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.keepAliveTimeout = keepAliveMs;
  server.on('clientError', (error, socket) => {
    if (application) application.server.emit('clientError', error, socket);
    else socket.destroy();
  });
  const url = await listen(server, at.host, at.port);
  return {
    url,
    use(app) {
      application = app;
    },
    async settled() {
      const open = [...running].map((response) => once(response, 'close'));
      await withTimeLimit<unknown>(Promise.all(open), graceMs, () => undefined);
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** The process is alive and reports its versions and missing dependencies. Other requests get 503. */
async function serveBeforeStart(deps: FrontDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = rewriteUrl(request.url ?? '/', deps.mountPrefix).split('?')[0];
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/healthcheck') {
    const { status, type, body } = healthcheckResponse(request);
    response.writeHead(status, { 'content-type': type }).end(body);
    return;
  }
  if (path === '/readyz') {
    const report = reportFor(request, await deps.readiness.report());
    return sendJson(response, report.ready ? 200 : 503, report);
  }
  if (path === '/metrics' && !mayReadMetrics(request, deps.metricsToken)) {
    for (const [name, value] of Object.entries(metricsChallenge)) response.setHeader(name, value);
    return sendJson(response, 401, { error: 'VIGIL_METRICS_TOKEN is needed' });
  }
  if (path === '/metrics') {
    const { contentType, body } = await deps.metrics.expose();
    response.writeHead(200, { 'content-type': contentType }).end(body);
    return;
  }
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/' && isReading) return sendJson(response, 200, versionsFor(deps, request));
  const { status, faultstring } = closedFault(deps.gate);
  if (readsRetryAfter(request.headers, status)) response.setHeader('Retry-After', retryAfterSeconds);
  sendJson(response, status, apiFaultBody(status, faultstring));
}

function versionsFor(deps: FrontDeps, { headers }: IncomingMessage): object {
  return rootDocument(baseUrls({ protocol: 'http', host: headers.host ?? '', headers }, deps));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
