import { messageOf, VigilError } from '#libs/domain';
import { createSender, type HttpReply } from '#libs/http';
import type { InfluxTarget } from './influx-target.ts';

/** The server returned a status other than 2xx. */
export class InfluxStatusError extends VigilError {
  readonly code = 'influx_status';
  readonly category;
  readonly status: number;

  constructor(status: number, text: string) {
    super(`returned ${status}: ${text.trim().slice(0, 300) || 'no text'}`);
    this.status = status;
    this.category = status >= 500 || status === 429 ? ('retryable' as const) : ('permanent' as const);
  }
}

/** Sends one request. Rejects with InfluxStatusError on a status outside 200 to 299. */
export type InfluxRequest = (request: {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: string;
  contentType?: string;
}) => Promise<HttpReply>;

/** HTTP to an InfluxDB server with the target's credentials and a time limit per request. */
export function createInfluxRequest(target: InfluxTarget, timeoutMs: number): InfluxRequest {
  const authorization = authorizationOf(target);
  const sender = createSender({ timeoutMs, tls: target.tls });
  return async ({ method, path, query, body, contentType }) => {
    const headers: Record<string, string> = {};
    if (authorization !== undefined) headers.authorization = authorization;
    if (contentType !== undefined) headers['content-type'] = contentType;
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const response = await sender.send({ method, url: new URL(`${target.origin}${path}${search}`), headers, body });
    if (response.status < 200 || response.status > 299)
      throw new InfluxStatusError(response.status, errorText(response.text));
    return response;
  };
}

function authorizationOf(target: InfluxTarget): string | undefined {
  if (target.token !== undefined) return `${target.version === '2' ? 'Token' : 'Bearer'} ${target.token}`;
  if (target.user === undefined) return undefined;
  return `Basic ${Buffer.from(`${target.user}:${target.password ?? ''}`).toString('base64')}`;
}

function errorText(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed === null || typeof parsed !== 'object') return text;
    if ('error' in parsed) return String(parsed.error);
    return 'message' in parsed ? String(parsed.message) : text;
  } catch {
    return text;
  }
}

/** One readable line for any error of the HTTP layer. */
export function transportReason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response within the time limit';
  return messageOf(error);
}
