import { VigilApiError } from '#libs/client';
import { apiUrl } from './base-url.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** Sends a request to the internal surface of the API: `path` such as `services`. @throws VigilApiError */
export type InternalCall = <Result>(path: string, init?: InternalCallOptions) => Promise<Result>;

interface InternalCallOptions {
  method?: string;
  body?: object;
  /** Called with the position in the change log up to which the response includes all changes. Null: unknown. */
  onPosition?: (position: string | null) => void;
}

/** Creates the client of the internal surface for this build, with a time limit of `limitMs` per response. */
export function createInternalCall(send: typeof fetch, limitMs: number): InternalCall {
  return <Result>(path: string, init: InternalCallOptions = {}) =>
    withTimeLimit(limitMs, async (signal) => {
      const response = await send(`${apiUrl()}/internal/${path}`, {
        method: init.method ?? 'GET',
        headers: {
          'X-Vigil-Internal-Version': __VIGIL_VERSION__.split('.')[0] ?? '0',
          Accept: 'application/json',
          ...(init.body ? { 'Content-Type': 'application/json' } : {}),
        },
        body: init.body ? JSON.stringify(init.body) : null,
        signal,
      });
      const text = await response.text();
      if (!response.ok) throw refusal(response.status, text);
      init.onPosition?.(response.headers.get('X-Vigil-Change'));
      return (text === '' ? null : JSON.parse(text)) as Result;
    });
}

function refusal(status: number, text: string): VigilApiError {
  let reason = `HTTP ${status}`;
  try {
    const body = JSON.parse(text) as { error_message?: string };
    reason = (JSON.parse(body.error_message ?? '{}') as { faultstring?: string }).faultstring ?? reason;
  } catch {
    // Not an error of the API: the status describes it.
  }
  return new VigilApiError(status === 401 ? 'unauthorized' : 'refused', status, reason);
}
