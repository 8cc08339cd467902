import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf, type InstanceAction, type SimulatedServer } from '../../cloud/entities.ts';
import type { NewServer } from '../../compute/server-population.ts';
import { serverStatus } from '../../compute/server-status.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { hostIdOf } from '../../identifiers.ts';
import { isAdmin, microTime, objectBody, queryOf, tokenOf } from '../request-context.ts';
import {
  callerOf,
  computeBase,
  hostNamed,
  minorOf,
  nextLink,
  pageOf,
  requireAdmin,
  serverOf,
} from './compute-scope.ts';
import { hiddenServer, links, serverSummary, serverView } from './server-view.ts';

type Query = Record<string, string | undefined>;

/** Servers, their instance actions and diagnostics. */
export function serverRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state } = simulation;

  scope.get('/servers', async (request) => list(request, (server) => serverSummary(server, computeBase(request))));
  scope.get('/servers/detail', async (request) => {
    const options = { minor: minorOf(request), admin: isAdmin(request), base: computeBase(request), single: false };
    return list(request, (server) =>
      simulation.faults.isHidden(server.host) ? hiddenServer(server, options.base) : serverView(server, options),
    );
  });
  scope.get('/servers/:server', async (request) => {
    const options = { minor: minorOf(request), admin: isAdmin(request), base: computeBase(request), single: true };
    return { server: serverView(serverOf(simulation, request), options) };
  });
  scope.post('/servers', async (request, reply) => {
    const server = simulation.population.create(newServer(simulation, request), callerOf(request));
    return reply.code(202).send({
      server: {
        id: server.uuid,
        links: links(computeBase(request), 'servers', server.uuid),
        adminPass: '',
        'OS-DCF:diskConfig': 'MANUAL',
        security_groups: [],
      },
    });
  });
  scope.delete('/servers/:server', async (request, reply) => {
    const server = serverOf(simulation, request);
    if (server.locked && !isAdmin(request)) throw new SimulatedApiError(409, `Instance ${server.uuid} is locked`);
    simulation.population.remove(server);
    return reply.code(204).send();
  });
  scope.get('/servers/:server/os-instance-actions', async (request) => {
    const server = serverOf(simulation, request);
    const minor = minorOf(request);
    return { instanceActions: server.actions.map((row) => actionView(server, row, minor)) };
  });
  scope.get<{ Params: { request: string } }>('/servers/:server/os-instance-actions/:request', async (request) => {
    const server = serverOf(simulation, request);
    const row = server.actions.find(({ requestId }) => requestId === request.params.request);
    if (!row)
      throw new SimulatedApiError(
        404,
        `Action for request_id ${request.params.request} on instance ${server.uuid} not found`,
      );
    const minor = minorOf(request);
    return { instanceAction: { ...actionView(server, row, minor), events: [eventView(row, minor)] } };
  });
  scope.get('/servers/:server/shares', async (request) => {
    if (minorOf(request) < 97) throw new SimulatedApiError(404, 'The resource could not be found.');
    const { shares } = serverOf(simulation, request);
    return { shares: shares.map((id) => ({ share_id: id, status: 'active', tag: id })) };
  });
  scope.get('/servers/:server/diagnostics', async (request) => {
    requireAdmin(request, 'os-server-diagnostics');
    const server = serverOf(simulation, request);
    return {
      state: server.powerState === 1 ? 'running' : 'shutdown',
      driver: 'libvirt',
      hypervisor: 'kvm',
      hypervisor_os: 'linux',
      config_drive: false,
      num_cpus: server.flavor.vcpus,
      num_disks: 1,
      num_nics: 0,
      uptime: Math.max(0, Math.round((simulation.clock.now() - server.launchedAt) / 1000)),
      cpu_details: [],
      disk_details: [],
      nic_details: [],
      memory_details: { maximum: server.flavor.ramMb, used: 0 },
    };
  });

  function list(request: FastifyRequest, view: (server: SimulatedServer) => object): object {
    const query = queryOf(request);
    const visible = visibleServers(request, query);
    const { page, more } = pageOf(visible, query, (server) => server.uuid);
    const last = page.at(-1);
    return {
      servers: page.map(view),
      ...(more && last !== undefined ? { servers_links: nextLink(request, last.uuid) } : {}),
    };
  }
  function visibleServers(request: FastifyRequest, query: Query): readonly SimulatedServer[] {
    const admin = isAdmin(request);
    const all = isTrue(query.all_tenants ?? query.all_projects);
    if (all && !admin) requireAdmin(request, 'servers:index:get_all_tenants');
    const filters = serverFilters(query, admin);
    if (minorOf(request) < 69) filters.push((server) => !simulation.faults.isHidden(server.host));
    if (!all) {
      const own = tokenOf(request).project?.id;
      const project = admin ? (query.project_id ?? query.tenant_id ?? own) : own;
      filters.push((server) => server.projectId === project);
    }
    if (filters.length === 0) return state.serverOrder;
    return state.serverOrder.filter((server) => filters.every((filter) => filter(server)));
  }
}

/** Of the body of `POST /servers`: name, flavorRef, metadata, availability_zone, hints, and from 2.74 on host. */
function newServer(simulation: Simulation, request: FastifyRequest): NewServer {
  const body = objectBody(request);
  const fields = (body.server ?? {}) as Record<string, unknown>;
  const { name, flavorRef, metadata, availability_zone: zone, host } = fields;
  if (typeof name !== 'string' || name === '') {
    throw new SimulatedApiError(400, "Invalid input for field/attribute server. 'name' is a required property");
  }
  const flavor = simulation.state.flavors.get(String(flavorRef).split('/').at(-1) ?? '');
  if (flavor === undefined) throw new SimulatedApiError(400, `Flavor ${String(flavorRef)} could not be found.`);
  if (host !== undefined && minorOf(request) >= 74) requireAdmin(request, 'servers:create:forced_host');
  return {
    name,
    flavor,
    host: host === undefined ? null : hostNamed(simulation, host),
    pinnedZone: typeof zone === 'string' ? zone : null,
    schedulerHints: hintsOf(body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints'] ?? {}),
    metadata: (metadata ?? {}) as Record<string, string>,
  };
}

const serverUuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Nova keeps each hint as a list. Those that name servers take uuids only. */
function hintsOf(given: unknown): Record<string, string[]> {
  const invalid = (name: string, value: unknown) =>
    new SimulatedApiError(400, `Invalid input for field/attribute ${name}. Value: ${JSON.stringify(value)}.`);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('os:scheduler_hints', given);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      const values = Array.isArray(value) ? value.map(String) : [String(value)];
      const namesServers = name === 'different_host' || name === 'same_host';
      if (namesServers && !values.every((one) => serverUuid.test(one))) throw invalid(name, value);
      return [name, values];
    }),
  );
}

function isTrue(text: string | undefined): boolean {
  if (text === undefined) return false;
  if (/^(1|t|true|on|y|yes|)$/i.test(text)) return true;
  if (/^(0|f|false|off|n|no)$/i.test(text)) return false;
  throw new SimulatedApiError(400, `Invalid input for query parameters all_tenants. Value: ${text}.`);
}

type Filter = (server: SimulatedServer) => boolean;

/** Filters that only administrators have are ignored for others, as Nova does. */
function serverFilters(query: Query, admin: boolean): Filter[] {
  const filters: Filter[] = [];
  const add = (value: string | undefined, make: (value: string) => Filter) => {
    if (value !== undefined) filters.push(make(value));
  };
  add(query.name, (value) => {
    const pattern = regularExpression(value);
    return (server) => pattern.test(server.name);
  });
  add(query.status, (value) => (server) => serverStatus(server) === value.toUpperCase());
  add(query.uuid, (value) => (server) => server.uuid === value);
  add(query.flavor, (value) => (server) => server.flavor.id === value);
  if (!admin) return filters;
  add(query.host ?? query.node, (value) => (server) => hostOf(server)?.name === value);
  add(query.availability_zone, (value) => (server) => hostOf(server)?.zone === value);
  add(query.locked, (value) => (server) => server.locked === /^(1|true)$/i.test(value));
  add(query.project_id ?? query.tenant_id, (value) => (server) => server.projectId === value);
  return filters;
}

function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new SimulatedApiError(400, `Invalid input for query parameters name: ${(error as Error).message}`);
  }
}

function actionView(server: SimulatedServer, row: InstanceAction, minor: number): object {
  return {
    action: row.action,
    instance_uuid: server.uuid,
    message: row.fault === null ? null : 'Error',
    project_id: row.projectId,
    request_id: row.requestId,
    start_time: microTime(row.startedAt),
    user_id: row.userId,
    ...(minor >= 58 ? { updated_at: microTime(row.updatedAt) } : {}),
  };
}

/** The one event of a request. The real Nova has several of some, each in the part of it that did the work. */
function eventView({ action, projectId, startedAt, endedAt, fault }: InstanceAction, minor: number): object {
  const result = fault === null ? 'Success' : 'Error';
  return {
    event: `conductor_${action.replaceAll('-', '_')}`,
    start_time: microTime(startedAt),
    finish_time: endedAt === null ? null : microTime(endedAt),
    result: endedAt === null ? null : result,
    ...(minor >= 51 ? { traceback: fault } : {}),
    ...(minor >= 62 ? { host: 'controller', hostId: hostIdOf(projectId, 'controller') } : {}),
    ...(minor >= 84 ? { details: fault } : {}),
  };
}
