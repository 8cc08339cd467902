import type { FastifyRequest } from 'fastify';
import { SimulatedApiError } from '../errors.ts';
import type { LoggedRequest } from '../faults/request-log.ts';
import type { Token } from '../identity/token-store.ts';

export type ServiceName = 'identity' | 'compute' | 'placement' | 'volume' | 'baremetal' | 'network';

const serviceNames = new Set<string>(['identity', 'compute', 'placement', 'volume', 'baremetal', 'network']);

/** Properties of a request that the hooks determined. */
export interface RequestContext {
  service: ServiceName | null;
  /** `req-<uuid>`. */
  requestId: string;
  token: Token | null;
  /** Minor part of the current microversion: 53 for 2.53. */
  minor: number;
  logged: LoggedRequest | null;
  /** The response must not be sent (fault `drop`). */
  dropResponse: boolean;
}

/** Name of the request decorator that holds the context. */
export const contextKey = 'simulation';

/** The context of a request. Every request has one. */
export function contextOf(request: FastifyRequest): RequestContext {
  return request.getDecorator<RequestContext>(contextKey);
}

/** Service of a path, by its first segment. */
export function serviceOfPath(path: string): ServiceName | null {
  const first = path.split(/[/?]/, 2)[1];
  return first !== undefined && serviceNames.has(first) ? (first as ServiceName) : null;
}

/** Origin of the request. */
export function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

/** The token of a request. Routes of services require one. */
export function tokenOf(request: FastifyRequest): Token {
  const { token } = contextOf(request);
  if (token === null) throw new SimulatedApiError(401, 'The request you have made requires authentication.');
  return token;
}

/** Whether the token has the role `admin`. */
export function isAdmin(request: FastifyRequest): boolean {
  return tokenOf(request).roles.includes('admin');
}

/** Query parameters with the last value of repeated ones. */
export function queryOf(request: FastifyRequest): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries((request.query ?? {}) as Record<string, string | string[]>)) {
    found[name] = Array.isArray(value) ? value.at(-1) : value;
  }
  return found;
}

/** Path parameters. */
export function paramsOf(request: FastifyRequest): Record<string, string> {
  return (request.params ?? {}) as Record<string, string>;
}

/** A body that is a JSON object. @throws SimulatedApiError 400 for other values */
export function objectBody(request: FastifyRequest): Record<string, unknown> {
  if (typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)) {
    return request.body as Record<string, unknown>;
  }
  throw new SimulatedApiError(400, 'Malformed request body');
}

/** Form of Nova and Keystone with microseconds and without a zone: `2026-11-21T00:09:24.000000`. */
export function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000`;
}

/** Form of a server's `created`: `2026-11-21T00:09:26Z`. */
export function secondTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
