import { messageOf } from '#libs/domain';
import { createSender, type HttpReply } from '#libs/http';
import { retry } from '#libs/service-kit';
import type { TlsFiles } from '#libs/service-kit/env';
import { HistoryRefusedError, HistoryUnavailableError } from '../history-port.ts';

/** One query to a store. It only reads, so it may be retried. */
export interface JsonRequest {
  /** URL without the query. */
  url: string;
  query?: [string, string][];
  headers?: Record<string, string>;
  /** Makes it a POST. */
  body?: unknown;
}

/** Queries stores over HTTP and reads JSON. */
export interface JsonHttp {
  /**
   * Returns the parsed body of a 2xx response. @throws HistoryRefusedError on 4xx except 401, 403, 408 and 429 @throws
   * HistoryUnavailableError on those, on 5xx and without a response. Messages contain the text of the server.
   */
  request(request: JsonRequest): Promise<unknown>;
  close(): Promise<void>;
}

/** Retries after the first try. */
const retries = 2;
const pauses = { firstMs: 200, longestMs: 400 };
const passing = (status: number) => status >= 500 || status === 429 || status === 408;

/**
 * HTTP with a time limit per try and kept-alive connections. It retries twice, after 200 and 400 ms, when the server
 * was unreachable or returned 408, 429 or 5xx. A try that exceeded its time limit is not retried. @param options.source
 * name and place of the store, for errors @param options.describeFault finds the text of the server in the body of an
 * error
 */
export function createJsonHttp(options: {
  source: string;
  timeoutMs: number;
  tls?: TlsFiles;
  describeFault(body: unknown): string | undefined;
}): JsonHttp {
  const { source, timeoutMs, tls } = options;
  const sender = createSender({ timeoutMs, ...(tls && { tls }) });

  function send(request: JsonRequest): Promise<HttpReply> {
    const url = new URL(request.url);
    url.search = new URLSearchParams(request.query ?? []).toString();
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'vigil', ...request.headers };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return sender.send({ method: body === undefined ? 'GET' : 'POST', url, headers, body });
  }

  function interpret(response: HttpReply): unknown {
    if (response.status >= 200 && response.status < 300) {
      const parsed = parse(response.text);
      if (parsed !== undefined) return parsed;
      throw new HistoryUnavailableError(source, 'the response is not JSON; check the URL');
    }
    const words = options.describeFault(parse(response.text)) ?? response.text.trim().slice(0, 300);
    const reason = `returned ${response.status}${words === '' ? '' : `: ${words}`}`;
    if (isRefusal(response.status)) throw new HistoryRefusedError(source, reason);
    throw new HistoryUnavailableError(source, reason);
  }

  return {
    request(request) {
      let isPassing = false;
      const query = async () => {
        const reply = await send(request).catch((error: unknown) => {
          isPassing = !isTimeout(error);
          throw new HistoryUnavailableError(source, reasonOf(error, timeoutMs), { cause: error });
        });
        isPassing = passing(reply.status);
        return interpret(reply);
      };
      return retry(query, { tries: retries + 1, pauses, isPassing: () => isPassing });
    },
    close: sender.close,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function reasonOf(error: unknown, timeoutMs: number): string {
  return isTimeout(error) ? `no response within ${timeoutMs / 1000} s` : messageOf(error);
}

/**
 * Whether a status refuses this request permanently: 4xx, but not 401 and 403 (credentials of all requests), 408 and
 * 429 (temporary).
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** An object with unknown fields, or null. */
export function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The items of an array. Empty when the value is not an array. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
