import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, doublingPause, type Logger, type RandomSource } from '#libs/domain';
import { createSender } from '#libs/http';
import { currentTraceparent, inSpan } from '#libs/tracing';
import { OpenStackError } from '../errors.ts';
import { type CallFailure, callFailure } from './call-failure.ts';
import { createCallGate } from './call-gate.ts';
import { type CloudCallMetrics, outcomeOf } from './measure-calls.ts';

/** Longest pause from a `Retry-After` header. Longer values are reduced to this. */
const longestPauseMs = 10_000;

/** One call to one service. */
interface HttpCall {
  /** Service type, for errors and metrics. */
  service: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Whether the call is idempotent. Default: only GET. */
  repeatable?: boolean;
}

/** Any HTTP response, refusals included. `body` is null when it is empty or not JSON. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** Sends calls within the time limit, and retries idempotent calls. */
export interface HttpClient {
  /** Throws OpenStackError with status 0 when there is no response. Returns every response, refusals included. */
  send(call: HttpCall): Promise<HttpResponse>;
  close(): Promise<void>;
}

const tries = 3;
const passingStatuses = new Set([429, 502, 503, 504]);

/**
 * An HTTP client for the services of a cloud. GETs are tried three times on broken connections, 429, 502, 503 and 504,
 * with growing, jittered pauses. Other methods are repeated only when nothing was sent. If the request may have
 * arrived, the error has `ambiguous`. These methods use separate connections, so a kept-alive connection that the
 * server has just closed cannot make a change ambiguous.
 */
export function createHttpClient(
  deps: { logger: Logger; clock: Clock; random: RandomSource; metrics?: CloudCallMetrics | undefined },
  options: { timeoutMs: number; maxConnections: number; retryDelayMs: number; caCertificate: string | null },
): HttpClient {
  const sender = createSender({
    timeoutMs: options.timeoutMs,
    connectTimeoutMs: Math.min(10_000, options.timeoutMs),
    maxConnections: options.maxConnections,
    tls: options.caCertificate === null ? {} : { ca: options.caCertificate },
  });
  const gate = createCallGate(options.maxConnections);

  async function exchange(call: HttpCall): Promise<HttpResponse | CallFailure> {
    if (call.signal?.aborted) return givenUp;
    const { method, url, signal } = call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const isUnrepeatable = method !== 'GET';
    try {
      const response = await sender.send({ method, url, headers: headersOf(call), body, signal, isUnrepeatable });
      return { status: response.status, headers: response.headers, body: parseJson(response.text) };
    } catch (error) {
      return callFailure(error, options.timeoutMs, call.signal?.aborted ?? false);
    }
  }

  function measured(call: HttpCall, attempt: number): Promise<HttpResponse | CallFailure> {
    const name = `${call.method} ${call.service}`;
    return inSpan(name, { kind: 'client', attributes: attributesOf(call, attempt) }, async (span) => {
      const result = await timed(call);
      if ('status' in result) {
        const requestId = requestIdOf(result.headers);
        const names = requestId === null ? undefined : [requestId];
        span?.set({
          'http.response.status_code': result.status,
          'http.response.header.x-openstack-request-id': names,
        });
        if (result.status >= 400) span?.fail(`HTTP ${result.status}`, String(result.status));
      } else span?.fail(result.detail, result.kind);
      return result;
    });
  }

  async function timed(call: HttpCall): Promise<HttpResponse | CallFailure> {
    const started = deps.clock.now();
    const result = await exchange(call);
    const status = 'status' in result ? result.status : 0;
    const durationSeconds = Math.max(0, deps.clock.now() - started) / 1000;
    const outcome = 'status' in result ? outcomeOf(status) : outcomeOfFailure(result);
    deps.metrics?.observe({ service: call.service, method: call.method, outcome, status, durationSeconds });
    const requestId = 'status' in result ? requestIdOf(result.headers) : null;
    deps.logger.debug(
      {
        service: call.service,
        method: call.method,
        path: call.url.pathname,
        status,
        outcome,
        durationSeconds,
        requestId,
      },
      'OpenStack call',
    );
    return result;
  }

  return {
    async send(call) {
      for (let attempt = 1; ; attempt += 1) {
        const result = await gate
          .run(call.service, call.signal, () => measured(call, attempt))
          .catch((error: unknown): CallFailure => {
            if (call.signal?.aborted) return givenUp;
            throw error;
          });
        if (attempt === tries || !mayRepeat(call, result)) {
          if ('status' in result) return result;
          throw failureError(call, result);
        }
        const retryAfter = 'status' in result ? result.headers['retry-after'] : undefined;
        const pauseMs = retryPauseMs(attempt, {
          baseMs: options.retryDelayMs,
          random: deps.random,
          retryAfter,
          nowMs: deps.clock.now(),
        });
        deps.logger.debug({ service: call.service, path: call.url.pathname, pauseMs }, 'retrying OpenStack call');
        await pause(pauseMs, undefined, { signal: call.signal }).catch(() => {
          throw failureError(call, givenUp);
        });
      }
    },
    close: sender.close,
  };
}

/** Attributes of the span of an exchange. Attempts count from 1. */
function attributesOf({ method, url }: HttpCall, attempt: number) {
  return {
    'http.request.method': method,
    'http.request.resend_count': attempt > 1 ? attempt - 1 : null,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    // Without a login and without the query.
    'url.full': `${url.origin}${url.pathname}`,
    'url.path': url.pathname,
  };
}

/** The caller's signal fired before the request was sent. */
const givenUp: CallFailure = { kind: 'cancelled', sent: false, detail: 'cancelled by the caller' };

function mayRepeat(call: HttpCall, result: HttpResponse | CallFailure): boolean {
  const repeatable = call.repeatable ?? call.method === 'GET';
  if ('status' in result) return repeatable && passingStatuses.has(result.status);
  if (result.kind === 'refused') return true;
  return repeatable && result.kind === 'connection';
}

function failureError(call: HttpCall, failure: CallFailure): OpenStackError {
  const ambiguous = call.method !== 'GET' && failure.sent;
  const detail = `${call.service} at ${call.url.origin}: ${failure.detail}`;
  return new OpenStackError(call.service, `${call.method} ${call.url.pathname}`, 0, detail, { ambiguous });
}

function outcomeOfFailure(failure: CallFailure): 'timeout' | 'cancelled' | 'connection_error' {
  if (failure.kind === 'timeout' || failure.kind === 'cancelled') return failure.kind;
  return 'connection_error';
}

function headersOf(call: HttpCall): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'vigil', ...call.headers };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  const traceparent = currentTraceparent();
  if (traceparent !== null) headers.traceparent = traceparent;
  return headers;
}

/** The service's own id of a request, for searching its logs. Null when it returns none. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['x-openstack-request-id'] ?? headers['openstack-request-id'] ?? null;
}

function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Pause before try number `attempt` + 1 (attempts count from 1): `baseMs` doubled per attempt, half of it random
 * ("equal jitter"), and at least the `Retry-After` of the response (seconds or an HTTP date). At most 10 s.
 */
function retryPauseMs(
  attempt: number,
  options: { baseMs: number; random: RandomSource; retryAfter?: string | undefined; nowMs: number },
): number {
  const full = doublingPause(attempt - 1, { firstMs: options.baseMs, longestMs: 2 * longestPauseMs });
  const backOff = full / 2 + (full / 2) * options.random();
  return Math.min(longestPauseMs, Math.max(backOff, retryAfterMs(options.retryAfter, options.nowMs)));
}

function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
