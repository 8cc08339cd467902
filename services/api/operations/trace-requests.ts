import type { FastifyInstance } from 'fastify';
import { type Span, type Tracer, withSpan } from '#libs/tracing';
import type { Outcomes } from '../http/request/outcome-hook.ts';

/** Paths of API requests. Health, metrics, documents and dashboard files are not traced. */
const traced = /^\/(v1|internal)(\/|$)/;

declare module 'fastify' {
  interface FastifyRequest {
    /** Span of this request. Null when it is not traced. */
    span: Span | null;
  }
}

/**
 * Makes a span of each request to `/v1` and `/internal`, within the trace that the client names (`traceparent`) or a
 * new one.
 */
export function installTracing(app: FastifyInstance, outcomes: Outcomes, tracer: Tracer): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? '';
    if (!traced.test(route)) return done();
    const span = tracer.start(`${request.method} ${route}`, {
      kind: 'server',
      parents: [request.headers.traceparent],
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.path': request.url.replace(/\?.*$/s, ''),
        'url.scheme': request.protocol,
        'vigil.request_id': request.id,
      },
    });
    request.span = span ?? null;
    return withSpan(span, done);
  });
  // Reading the body leaves the async context of the request.
  app.addHook('preHandler', (request, _reply, done) => withSpan(request.span ?? undefined, done));
  outcomes.add(({ span, clientLeft }, { statusCode }) => {
    if (span === null) return;
    span.set({ 'http.response.status_code': statusCode, ...(clientLeft ? { 'vigil.client_left': true } : {}) });
    if (statusCode >= 500) span.fail(`HTTP ${statusCode}`, String(statusCode));
    span.end();
  });
}
