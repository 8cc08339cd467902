import { VigilApiError } from './errors.ts';

/** Returns with these have no body. */
const withoutBody = new Set([101, 204, 205, 304]);

/**
 * `fetch` of a whole response with a time limit, and with errors that name the server. A truncated response counts as
 * none.
 * @throws VigilApiError of kind `unreachable` or `timeout`.
 */
export async function fetchWithLimit(
  options: { fetch: typeof fetch; timeoutMs: number },
  url: string,
  init: RequestInit,
): Promise<Response> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  try {
    const response = await options.fetch(url, { ...init, signal });
    const body = await response.arrayBuffer();
    return new Response(withoutBody.has(response.status) ? null : body, response);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw faultOf(error, url, limit.aborted ? options.timeoutMs : null);
  }
}

/**
 * `fetch` whose time limit ends when the head of the response has come.
 * @throws VigilApiError of kind `unreachable` or `timeout`.
 */
export async function fetchStream(
  options: { fetch: typeof fetch; timeoutMs: number },
  url: string,
  init: RequestInit,
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), options.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  try {
    return await options.fetch(url, { ...init, signal });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw faultOf(error, url, limit.signal.aborted ? options.timeoutMs : null);
  } finally {
    clearTimeout(timer);
  }
}

function faultOf(error: unknown, url: string, timeoutMs: number | null): VigilApiError {
  const { origin } = new URL(url);
  return timeoutMs === null
    ? new VigilApiError('unreachable', 0, `${origin} cannot be reached: ${reasonOf(error)}`, { cause: error })
    : new VigilApiError('timeout', 0, `${origin} did not respond within ${timeoutMs / 1000} s`, { cause: error });
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
