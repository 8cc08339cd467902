import createFetchClient, { type Client } from 'openapi-fetch';
import type { KeystoneCredentials } from './credentials.ts';
import type { ActionPlan, Audit, CollectionEntries } from './entities.ts';
import { VigilApiError } from './errors.ts';
import type { paths } from './generated/schema.ts';
import { type ListOptions, listCollection } from './list-collection.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { type PlanProgress, pollActionPlan, pollAudit, type WaitOptions } from './waiting.ts';
import { type WatchEvent, type WatchOptions, watchChanges } from './watching.ts';

/** Where the API is and how to log in. `url`, `credentials` or both are needed. */
export interface VigilClientOptions {
  /** URL of the API, with mount prefix. Default: the `infra-optim` endpoint of the Keystone catalogue. */
  url?: string;
  /** Login to Keystone v3. Without it and `tokenProvider`, no token is sent. */
  credentials?: KeystoneCredentials;
  /** Gives a token instead of a login. Needs `url`. */
  tokenProvider?: () => Promise<string>;
  /** Microversion of every request. Default `1.7`. */
  microversion?: string;
  /** Time limit of one request in milliseconds. Default 30 000. */
  timeoutMs?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** Ends every request and every wait of the client. */
  signal?: AbortSignal;
}

/** The API of Vigil (and of OpenStack Watcher). Every failed call throws VigilApiError. */
export interface VigilClient {
  /** Typed calls by path, such as `api.GET('/v1/goals/{ident}', { params: { path: { ident } } })`. */
  api: Client<paths>;
  /** All entries of a collection, page by page. */
  list<Name extends keyof CollectionEntries>(name: Name, options?: ListOptions): Promise<CollectionEntries[Name][]>;
  /** One entry by uuid, name or id. */
  get<Name extends keyof CollectionEntries>(name: Name, ident: string): Promise<CollectionEntries[Name]>;
  /**
   * Follows all changes: the full state first, then every change. Reconnects and resumes automatically. See
   * `WatchEvent` for the cases in which the state starts anew. Ends with `signal`.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent>;
  /**
   * A call of the internal surface of the same build, by its path below `/internal`. It may change with every build.
   * Made for the command line and the dashboard.
   */
  internal<Result>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Result>;
  /** Waits until an audit has ended. Returns its last state. */
  waitForAudit(ident: string, options?: WaitOptions<Audit>): Promise<Audit>;
  /** Waits until an action plan has ended. Returns its last state. */
  waitForActionPlan(uuid: string, options?: WaitOptions<PlanProgress>): Promise<ActionPlan>;
}

/**
 * Version of the internal surface to request: the major version of the build that this client belongs to. A test
 * compares it with the package.
 */
export const internalVersion = '0';

/** Stands for the endpoint until the catalogue is known. */
const placeholder = 'http://vigil.invalid';

/** Makes a client. Nothing is sent before the first call. */
export function createVigilClient(options: VigilClientOptions): VigilClient {
  const settings: TransportOptions = {
    ...options,
    microversion: options.microversion ?? '1.7',
    timeoutMs: options.timeoutMs ?? 30_000,
    fetch: options.fetch ?? globalThis.fetch,
  };
  const send = createTransport(settings);
  const api = createFetchClient<paths>({
    baseUrl: placeholder,
    fetch: async (request) => {
      const body = request.method === 'GET' ? '' : await request.text();
      return send(request.url.slice(placeholder.length), {
        method: request.method,
        headers: request.headers,
        body: body === '' ? undefined : body,
        signal: request.signal,
      });
    },
  });
  const client: VigilClient = {
    api,
    list: (name, listOptions) => listCollection(send, name, listOptions),
    async get<Name extends keyof CollectionEntries>(name: Name, ident: string) {
      const response = await send(`/v1/${name}/${encodeURIComponent(ident)}`, { method: 'GET' });
      return (await response.json()) as CollectionEntries[Name];
    },
    watch: (watchOptions) => watchChanges(send, { signal: options.signal, ...watchOptions }),
    async internal<Result>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
      const headers = new Headers({ 'X-Vigil-Internal-Version': internalVersion });
      if (body) headers.set('Content-Type', 'application/json');
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await send(`/internal${path}`, init);
      return (response.status === 204 ? undefined : await response.json()) as Result;
    },
    waitForAudit: (ident, wait) => pollAudit(() => client.get('audits', ident), { signal: options.signal, ...wait }),
    waitForActionPlan: (uuid, wait) =>
      pollActionPlan(
        () => client.get('action_plans', uuid),
        () => client.list('actions', { filters: { action_plan_uuid: uuid } }),
        { signal: options.signal, ...wait },
      ),
  };
  return client;
}

/** The data of a typed call. Failed calls have thrown before. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new VigilApiError('refused', 0, 'the response has no body');
  return data;
}
