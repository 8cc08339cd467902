import type { FastifyRequest } from 'fastify';
import type { SimulatedHost, SimulatedServer } from '../../cloud/entities.ts';
import type { Caller } from '../../compute/server-operations.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { contextOf, isAdmin, originOf, paramsOf, tokenOf } from '../request-context.ts';

/** Nova's limit of servers, migrations or hypervisors in one response. */
export const mostPerPage = 1000;

/** Origin and first path part of the compute service, for links. */
export function computeBase(request: FastifyRequest): string {
  return `${originOf(request)}/compute`;
}

/** Second part of the microversion in force. */
export function minorOf(request: FastifyRequest): number {
  return contextOf(request).minor;
}

/** Refuses with 403 like Nova's policy checks. */
export function requireAdmin(request: FastifyRequest, rule: string): void {
  if (isAdmin(request)) return;
  throw new SimulatedApiError(403, `Policy doesn't allow os_compute_api:${rule} to be performed.`);
}

/** The server in the path. 404 also for servers of other projects. */
export function serverOf(simulation: Simulation, request: FastifyRequest): SimulatedServer {
  const uuid = paramsOf(request).server ?? '';
  const server = simulation.state.servers.get(uuid);
  const mayRead = server !== undefined && (isAdmin(request) || server.projectId === tokenOf(request).project?.id);
  if (!mayRead) throw new SimulatedApiError(404, `Instance ${uuid} could not be found.`);
  return server;
}

/** A `limit` of a query, at most `mostPerPage`. 400 unless it is a whole number. */
export function limitOf(text: string | undefined): number {
  if (text === undefined) return mostPerPage;
  if (!/^\d+$/.test(text))
    throw new SimulatedApiError(
      400,
      `Invalid input for query parameters limit. Value: ${text}. '${text}' does not match '^[0-9]*$'`,
    );
  return Math.min(mostPerPage, Number(text));
}

/** The page of `items` after the one with the id `marker`. 400 with the text of `lost` for an unknown marker. */
export function pageOf<Item>(
  items: readonly Item[],
  query: { limit?: string; marker?: string },
  idOf: (item: Item) => string,
  lost = (marker: string) => `marker [${marker}] not found`,
): { page: Item[]; more: boolean } {
  const limit = limitOf(query.limit);
  let start = 0;
  if (query.marker !== undefined) {
    start = items.findIndex((item) => idOf(item) === query.marker) + 1;
    if (start === 0) throw new SimulatedApiError(400, lost(query.marker));
  }
  const page = items.slice(start, start + limit);
  return { page, more: page.length > 0 && page.length === limit && start + limit < items.length };
}

/** `rel: next` link to the page after `lastId`. */
export function nextLink(request: FastifyRequest, lastId: string): object[] {
  const url = new URL(request.url, originOf(request));
  url.searchParams.set('marker', lastId);
  return [{ rel: 'next', href: url.href }];
}

/** The host of a name in a request. Null for no name. 400 for an unknown name. */
export function hostNamed(simulation: Simulation, name: unknown): SimulatedHost | null {
  if (name === null || name === undefined) return null;
  const host = simulation.state.hosts.get(String(name));
  if (host === undefined) throw new SimulatedApiError(400, `Compute host ${String(name)} could not be found.`);
  return host;
}

/** The caller, for records. */
export function callerOf(request: FastifyRequest): Caller {
  const token = tokenOf(request);
  return {
    projectId: token.project?.id ?? '',
    userId: token.user.id,
    requestId: contextOf(request).requestId,
  };
}

/** Whether the text has the form of a uuid, with or without hyphens. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);
}
