import type { Cloud } from '#libs/openstack';
import type { ContractService } from './expected-shapes.ts';

/** One request without the client's help. */
interface RawRequest {
  service: ContractService | 'image';
  method?: string;
  /** Below the service's endpoint, with its query. */
  path: string;
  /** Sent as `OpenStack-API-Version` when given. */
  microversion?: string;
  body?: unknown;
  /** Instead of the token of the credentials. */
  token?: string;
  headers?: Record<string, string>;
}

/** A response as it came. `body` is null when it is empty or not JSON. */
interface RawResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends requests to a cloud as the contract words them. */
export type RawHttp = (request: RawRequest) => Promise<RawResponse>;

const versionNames: Readonly<Record<RawRequest['service'], string>> = {
  identity: 'identity',
  compute: 'compute',
  placement: 'placement',
  'block-storage': 'volume',
  image: 'image',
};

/** Raw requests with the endpoints and the token of `cloud`. */
export function createRawHttp(cloud: Cloud, authUrl: string): RawHttp {
  return async (request) => {
    const base = request.service === 'identity' ? authUrl : await cloud.identity.endpoint(request.service);
    if (base === null) throw new Error(`the cloud has no endpoint of type ${request.service}`);
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
    headers['x-auth-token'] = request.token ?? (await cloud.identity.token());
    if (request.microversion !== undefined) {
      headers['openstack-api-version'] = `${versionNames[request.service]} ${request.microversion}`;
    }
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(base + request.path, {
      method: request.method ?? 'GET',
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  };
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
