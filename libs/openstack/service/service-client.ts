import type { CloudCallOptions, TakenRequest } from '../call-options.ts';
import { OpenStackError } from '../errors.ts';
import { faultText } from '../http/fault-text.ts';
import { createFieldReader, type FieldReader } from '../http/field-reader.ts';
import { type HttpClient, type HttpResponse, requestIdOf } from '../http/http-client.ts';
import type { Identity } from '../identity/identity.ts';
import type { MicroversionRange } from './microversion.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { createServiceVersions } from './service-versions.ts';

/** One call of a service's API. */
export interface ServiceCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the service's base URL. Variable parts must be encoded. */
  path: string;
  /** A list repeats the parameter. */
  query?: Readonly<Record<string, string | readonly string[]>>;
  body?: unknown;
  versions: MicroversionRange;
  options?: CloudCallOptions | undefined;
}

/** Calls one service. Handles endpoint, token, microversion and refusals. */
export interface ServiceClient {
  /** The response's JSON object. Throws OpenStackError on any status of 300 and more. */
  read(call: ServiceCall): Promise<FieldReader>;
  /** As `read`, but null when the service itself returns 404. */
  find(call: ServiceCall): Promise<FieldReader | null>;
  /** For calls whose response body is not used. */
  send(call: ServiceCall): Promise<TakenRequest>;
  /** Whether the catalogue has a new endpoint of the service. An empty response is then requested again. */
  hasMoved(options: CloudCallOptions | undefined): Promise<boolean>;
}

/** Refusals after which the change may still have been made: the service failed, or a proxy lost its response. */
const unclearStatuses = new Set([500, 502, 504]);

/**
 * A client of one service. Version documents are read once. After a 406 (the server was replaced) it reads them again.
 * Without a response, or when an element is missing, it checks the catalogue for a new endpoint.
 */
export function createServiceClient(
  deps: { http: HttpClient; identity: Identity },
  service: ServiceDefinition,
): ServiceClient {
  const versions = createServiceVersions(deps, service);
  let usedEndpoint: string | null = null;

  async function attempt(call: ServiceCall): Promise<{ answer: HttpResponse; token: string }> {
    const endpoint = await deps.identity.requireEndpoint(service.type, call.options);
    usedEndpoint = endpoint;
    const version = await versions.pick(endpoint, call.versions, requestName(call));
    const token = await deps.identity.token(call.options);
    const url = new URL(service.baseUrl(endpoint) + call.path);
    for (const [name, value] of Object.entries(call.query ?? {}))
      for (const one of [value].flat()) url.searchParams.append(name, one);
    const response = await deps.http.send({
      service: service.type,
      method: call.method,
      url,
      headers: headersOf(service, version, token, call.options),
      body: call.body,
      signal: call.options?.signal,
    });
    return { answer: response, token };
  }

  async function hasMoved(options: CloudCallOptions | undefined): Promise<boolean> {
    const moved = usedEndpoint !== null && (await deps.identity.hasMoved(service.type, usedEndpoint, options));
    if (moved) versions.forget();
    return moved;
  }

  /** A read without a response is repeated if the catalogue has a new endpoint. */
  async function attemptTwice(call: ServiceCall): Promise<{ answer: HttpResponse; token: string }> {
    try {
      return await attempt(call);
    } catch (error) {
      if (call.options?.signal?.aborted || !isUnreachable(error)) throw error;
      const moved = await hasMoved(call.options).catch(() => false);
      if (!moved || call.method !== 'GET') throw error;
      return await attempt(call);
    }
  }

  async function exchange(call: ServiceCall): Promise<HttpResponse> {
    const first = await attemptTwice(call);
    if (first.answer.status === 401) deps.identity.invalidate(first.token);
    else if (first.answer.status === 406) versions.forget();
    else return first.answer;
    return (await attempt(call)).answer;
  }

  function contentOf(call: ServiceCall, response: HttpResponse): FieldReader {
    return createFieldReader(response.body, { service: service.type, request: requestName(call) });
  }

  return {
    async read(call) {
      const response = await exchange(call);
      throwRefusal(service, call, response, deps.identity.isApplicationCredential);
      return contentOf(call, response);
    },
    async find(call) {
      let response = await exchange(call);
      if (isMissing(response) && (await hasMoved(call.options))) response = await exchange(call);
      if (isMissing(response)) return null;
      throwRefusal(service, call, response, deps.identity.isApplicationCredential);
      return contentOf(call, response);
    },
    async send(call) {
      const response = await exchange(call);
      throwRefusal(service, call, response, deps.identity.isApplicationCredential);
      return { requestId: requestIdOf(response.headers) };
    },
    hasMoved,
  };
}

/** Whether the service itself, not a proxy, reports a missing element. */
function isMissing(response: HttpResponse): boolean {
  return response.status === 404 && faultText(response.body) !== null;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof OpenStackError && error.status === 0;
}

function headersOf(
  service: ServiceDefinition,
  version: string | null,
  token: string,
  options: CloudCallOptions | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { 'x-auth-token': token };
  if (version !== null) {
    headers['openstack-api-version'] = `${service.versionName} ${version}`;
    if (service.legacyVersionHeader !== null) headers[service.legacyVersionHeader.toLowerCase()] = version;
  }
  if (options?.requestId !== undefined) headers['x-openstack-request-id'] = options.requestId;
  return headers;
}

function throwRefusal(
  service: ServiceDefinition,
  call: ServiceCall,
  response: HttpResponse,
  isApplicationCredential: boolean,
): void {
  if (response.status < 300) return;
  const text = faultText(response.body) ?? `HTTP ${response.status} without explanation`;
  const isByRules = response.status === 401 && isApplicationCredential;
  const detail = isByRules
    ? `${text} (the application credential does not allow ${requestName(call)}, or has ended)`
    : text;
  const ambiguous = call.method !== 'GET' && unclearStatuses.has(response.status);
  const requestId = requestIdOf(response.headers);
  throw new OpenStackError(service.type, requestName(call), response.status, detail, { ambiguous, requestId });
}

function requestName(call: ServiceCall): string {
  return `${call.method} ${call.path}`;
}
