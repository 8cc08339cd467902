import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SimulatedPort, SimulatedServer } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { isAdmin, originOf, paramsOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';

/** Fields for administrators only, as in Neutron's default policy. */
const adminFields = [
  'binding:host_id',
  'binding:profile',
  'binding:vif_details',
  'binding:vif_type',
  'resource_request',
];

const wholeNumber = /^\d+$/;

/** The ports of servers, listed below `/network` as in Neutron v2.0. */
export function networkRoutes(simulation: Simulation) {
  const { state } = simulation;

  function heldPorts(): HeldPort[] {
    return [...state.servers.values()].flatMap((server) => server.ports.map((port) => ({ port, server })));
  }

  function viewFor(request: FastifyRequest, { port, server }: HeldPort): Record<string, unknown> {
    const view = portView(port, server);
    return isAdmin(request) ? view : without(view, adminFields);
  }

  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'network');
    requireToken(scope, simulation, (path) => /^\/network\/?$/.test(path));
    scope.get('/', async (request) => ({
      versions: [
        { id: 'v2.0', status: 'CURRENT', links: [{ rel: 'self', href: `${originOf(request)}/network/v2.0/` }] },
      ],
    }));
    scope.get('/v2.0/ports', async (request) => {
      const query = manyOf(request);
      const fields = query.fields ?? [];
      const found = heldPorts().filter((held) => isRequested(held, query));
      const { page, next } = pageOf(found, query);
      const views = page.map((held) => viewFor(request, held));
      const ports = fields.length === 0 ? views : views.map((port) => only(port, fields));
      if (next === null) return { ports };
      const link = new URL(request.url, originOf(request));
      link.searchParams.set('marker', next);
      return { ports, ports_links: [{ rel: 'next', href: link.href }] };
    });
    scope.get('/v2.0/ports/:port', async (request) => {
      const { port: id = '' } = paramsOf(request);
      const held = heldPorts().find(({ port }) => port.id === id);
      if (held === undefined) throw new SimulatedApiError(404, `Port ${id} could not be found.`);
      return { port: viewFor(request, held) };
    });
  };
}

/** Every value of each parameter: Neutron matches any of them. */
function manyOf(request: FastifyRequest): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URL(request.url, 'http://simulator').searchParams)
    query[name] = [...(query[name] ?? []), value];
  return query;
}

/** A port and its server. */
interface HeldPort {
  port: SimulatedPort;
  server: SimulatedServer;
}

function isRequested({ port, server }: HeldPort, query: Record<string, string[]>): boolean {
  const has = (name: string, value: string) => query[name]?.includes(value) ?? true;
  return has('id', port.id) && has('device_id', server.uuid) && has('device_owner', ownerOf(server));
}

function ownerOf({ host }: SimulatedServer): string {
  return `compute:${host.zone}`;
}

/** A page in the order of ids. Sorts only the ports after the marker, because each page needs them. */
function pageOf(
  found: readonly HeldPort[],
  query: Record<string, string[]>,
): { page: HeldPort[]; next: string | null } {
  const [limit] = query.limit ?? [];
  if (limit !== undefined && !wholeNumber.test(limit)) {
    const detail = `Limit must be an integer 0 or greater and not '${limit}'`;
    throw new SimulatedApiError(400, `Bad limit request: ${detail}.`);
  }
  const [marker] = query.marker ?? [];
  if (marker !== undefined && !found.some(({ port }) => port.id === marker))
    throw new SimulatedApiError(404, `Port ${marker} could not be found.`);
  const rest = marker === undefined ? [...found] : found.filter(({ port }) => port.id > marker);
  rest.sort((a, b) => (a.port.id < b.port.id ? -1 : 1));
  const length = Number(limit ?? 0);
  const page = length === 0 ? rest : rest.slice(0, length);
  // A full page has a link even if it is the last one.
  return { page, next: length > 0 && page.length === length ? (page.at(-1)?.port.id ?? null) : null };
}

/** A port in the form for administrators. */
export function portView(port: SimulatedPort, server: SimulatedServer): Record<string, unknown> {
  const isDevice = port.vnicType !== 'normal';
  return {
    id: port.id,
    name: '',
    admin_state_up: true,
    status: server.vmState === 'active' ? 'ACTIVE' : 'DOWN',
    device_id: server.uuid,
    device_owner: ownerOf(server),
    project_id: server.projectId,
    tenant_id: server.projectId,
    'binding:host_id': server.host.name,
    'binding:profile': {},
    'binding:vif_details': {},
    'binding:vif_type': isDevice ? 'hw_veb' : 'ovs',
    'binding:vnic_type': port.vnicType,
    resource_request: port.resourceRequest,
    // It increases with every change of the server, because its port has no other changes.
    revision_number: Math.round(server.updatedAt),
  };
}

function only(port: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(port).filter(([name]) => fields.includes(name)));
}

function without(port: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(port).filter(([name]) => !fields.includes(name)));
}
