import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';

/** One request to an external server. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Gives the request up. */
  signal?: AbortSignal | undefined;
  /**
   * Takes its own connection, so that a kept-alive one which the server has just closed cannot leave open whether
   * the request arrived. Default false.
   */
  isUnrepeatable?: boolean;
}

/** Any response, refusals included. */
export interface HttpReply {
  status: number;
  /** Names in lowercase. Repeated values are joined by a comma. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Limits and certificates of all requests of a sender. */
export interface SenderOptions {
  /** Time for one request, including connection and response. In milliseconds. */
  timeoutMs: number;
  /** Time for its connection alone, in milliseconds. Default: all of it. */
  connectTimeoutMs?: number;
  /** Connections to one server. Default 16. */
  maxConnections?: number;
  /** Authorities to trust instead of the system's, certificate and key of the client, as PEM texts. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Resolves names, and may refuse their addresses. Connections go to the addresses that it returns. Default: DNS. */
  lookup?: LookupFunction;
  /** Whether only the status of responses counts: their texts are dropped, and shown as empty. Default false. */
  dropsBodies?: boolean;
}

/** Sends single requests. Whether to repeat one is the caller's decision. */
export interface HttpSender {
  /**
   * Rejects when there is no response: with the error of the connection, with a `TimeoutError`, or with the reason of
   * the request's signal. Redirections are responses.
   */
  send(request: HttpRequest): Promise<HttpReply>;
  /** Ends all requests and connections. */
  close(): Promise<void>;
}

const maxResponseBytes = 256 * 1024 * 1024;
/** A dropped body is read so far, so that a receiver can usually end its response. */
const maxDroppedBytes = 16 * 1024;
const maxDropMs = 1_000;

/** Outgoing HTTP: kept-alive connections, a time limit for each request, and responses of at most 256 MiB. */
export function createSender(options: SenderOptions): HttpSender {
  const { timeoutMs, connectTimeoutMs = timeoutMs, maxConnections = 16, tls = {}, lookup } = options;
  const shared: Agent.Options = {
    connections: maxConnections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxResponseBytes,
    connect: { timeout: connectTimeoutMs, ...tls, ...(lookup === undefined ? {} : { lookup }) },
  };
  const kept = new Agent(shared);
  const fresh = new Agent({ ...shared, pipelining: 0 });
  return {
    async send({ method, url, headers, body = null, signal, isUnrepeatable = false }) {
      const deadline = startDeadline(signal, timeoutMs);
      try {
        const response = await (isUnrepeatable ? fresh : kept).request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          body,
          signal: deadline.signal,
        });
        const text = options.dropsBodies ? await dropBody(response) : await response.body.text();
        return { status: response.statusCode, headers: flatHeaders(response), text };
      } finally {
        deadline.end();
      }
    },
    async close() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** The status has arrived, so a fault or a delay in the rest of the response does not matter. */
async function dropBody({ body }: Dispatcher.ResponseData): Promise<string> {
  await body.dump({ limit: maxDroppedBytes, signal: AbortSignal.timeout(maxDropMs) }).catch(() => undefined);
  return '';
}

function flatHeaders(response: Dispatcher.ResponseData): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Starts a time limit. Unlike `AbortSignal.any` it holds nothing on a signal that outlives many requests. */
function startDeadline(outer: AbortSignal | undefined, limitMs: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const giveUp = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('time limit', 'TimeoutError')), limitMs);
  if (outer?.aborted) giveUp();
  outer?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}
