import type { KeystoneCredentials } from './credentials.ts';
import { faultTextOf, isFault, retryAfterOf, VigilApiError } from './errors.ts';
import { fetchStream, fetchWithLimit } from './fetch-with-limit.ts';
import { type KeystoneSession, logIn } from './keystone-login.ts';

/** Settings of a transport, with all defaults filled in. */
export interface TransportOptions {
  /** URL of the API, with mount prefix. Default: the `infra-optim` endpoint of the Keystone catalogue. */
  url?: string;
  /** Login. Without it (and without `tokenProvider`) no token is sent. */
  credentials?: KeystoneCredentials;
  /** Supplies a token instead of a login. Called again after a 401. */
  tokenProvider?: () => Promise<string>;
  /** Such as `1.7`. */
  microversion: string;
  timeoutMs: number;
  fetch: typeof fetch;
  /** Ends every request. */
  signal?: AbortSignal;
}

/**
 * Sends a request to the API: `path` starts with `/v1`. Throws VigilApiError for every response that is not a success.
 */
export type Transport = (path: string, init: RequestInit, options?: SendOptions) => Promise<Response>;

/** How a request differs from most. */
export interface SendOptions {
  /** The response is a stream of events: the time limit covers its head only. */
  isStream?: boolean;
}

/**
 * Logs in when the first request is made, and once more when a token is no longer accepted. Without a login, a request
 * leaves within the call: the dashboard sends its first ones before it renders.
 */
export function createTransport(options: TransportOptions): Transport {
  let session: Promise<KeystoneSession> | null = null;
  const open =
    options.url && !options.credentials && !options.tokenProvider ? { token: '', endpoint: options.url } : null;

  function currentSession(): Promise<KeystoneSession> {
    session ??= openSession(options).catch((error: unknown) => {
      session = null;
      throw error;
    });
    return session;
  }

  async function send(path: string, init: RequestInit, isStream: boolean): Promise<Response> {
    const { token, endpoint } = open ?? (await currentSession());
    const headers = new Headers(init.headers);
    if (token) headers.set('X-Auth-Token', token);
    headers.set('OpenStack-API-Version', `infra-optim ${options.microversion}`);
    headers.set('Accept', isStream ? 'text/event-stream' : 'application/json');
    const base = (options.url ?? endpoint ?? '').replace(/\/+$/, '').replace(/\/v1$/, '');
    const signals = [init.signal, options.signal].filter((signal) => signal !== undefined && signal !== null);
    const request = { ...init, headers, ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}) };
    return isStream
      ? fetchStream(options, `${base}${path}`, request)
      : fetchWithLimit(options, `${base}${path}`, request);
  }

  return async (path, init, { isStream = false } = {}) => {
    let response = await send(path, init, isStream);
    if (response.status === 401 && (options.credentials || options.tokenProvider)) {
      session = null;
      response = await send(path, init, isStream);
    }
    if (response.ok && (isOurs(response) || response.status === 204)) return response;
    throw await refusalOf(response, (options.url ?? (await currentSession()).endpoint ?? '').replace(/\/+$/, ''));
  };
}

async function openSession(options: TransportOptions): Promise<KeystoneSession> {
  const endpoint = options.url ?? null;
  if (options.tokenProvider && endpoint) return { token: await options.tokenProvider(), endpoint };
  if (!options.credentials)
    throw new VigilApiError('refused', 0, 'neither the URL of the API nor credentials for Keystone are known');
  const session = await logIn(options.credentials, options);
  if (!session.endpoint && !endpoint) {
    throw new VigilApiError('refused', 0, 'the Keystone catalogue has no infra-optim service; give the URL of the API');
  }
  return session;
}

/** The API responds in JSON, or with a stream of events. */
function isOurs({ headers }: Response): boolean {
  return /json|text\/event-stream/i.test(headers.get('content-type') ?? '');
}

async function refusalOf(response: Response, address: string): Promise<VigilApiError> {
  const body: unknown = await response.json().catch(() => null);
  const isKnown = isOurs(response) && (isFault(body) || response.status === 401 || response.status >= 500);
  return new VigilApiError(
    response.status === 401 ? 'unauthorized' : 'refused',
    response.status,
    isKnown ? faultTextOf(body, response.status) : strangerText(response, body, address),
    { requestId: response.headers.get('x-openstack-request-id'), retryAfterMs: retryAfterOf(response) },
  );
}

/** Names a server that responded in the place of the API: another service, a proxy, a web page. */
function strangerText(response: Response, body: unknown, address: string): string {
  const { headers, status } = response;
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  const server = headers.get('server');
  const said = faultTextOf(body, status);
  const text = said === `HTTP ${status}` ? '' : `, saying: ${said}`;
  const message = `${address} answered HTTP ${status} (${server ? `${server}, ` : ''}${type})${text}`;
  // A proxy says so when the API behind it is unavailable.
  return status >= 500 ? message : `${message}; that is not an API of Vigil: check the URL`;
}
