import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf, type InstanceAction, type SimulatedServer } from '../../cloud/entities.ts';
import type { NewServer } from '../../compute/server-population.ts';
import { serverStatus } from '../../compute/server-status.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { hostIdOf } from '../../identifiers.ts';
import { pythonText, schemaMessage } from '../python-text.ts';
import { isAdmin, microTime, objectBody, paramsOf, queryOf, tokenOf } from '../request-context.ts';
import {
  callerOf,
  computeBase,
  hostNamed,
  isUuid,
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
    if (!row) throw new SimulatedApiError(404, `Action ${request.params.request} not found`);
    const minor = minorOf(request);
    return { instanceAction: { ...actionView(server, row, minor), events: [eventView(row, minor)] } };
  });
  scope.get('/servers/:server/shares', async (request) => {
    if (minorOf(request) < 97) throw new SimulatedApiError(404, 'The resource could not be found.');
    return { shares: sharesOf(request).map(shareView) };
  });
  scope.get<{ Params: { share: string } }>('/servers/:server/shares/:share', async (request) => {
    if (minorOf(request) < 97) throw new SimulatedApiError(404, 'The resource could not be found.');
    const share = sharesOf(request).find((id) => id === request.params.share);
    if (share === undefined) throw new SimulatedApiError(404, `Share ${request.params.share} could not be found.`);
    return { share: shareView(share) };
  });
  scope.get('/servers/:server/os-volume_attachments', async (request) => {
    const server = serverOf(simulation, request);
    return { volumeAttachments: server.volumeUuids.map((id) => attachmentView(server, id, minorOf(request))) };
  });
  scope.get('/servers/:server/diagnostics', async (request) => {
    requireAdmin(request, 'os-server-diagnostics');
    return diagnosticsView(serverOf(simulation, request), simulation.clock.now());
  });

  /** The only read of a server with the name of the unavailable cell. */
  function sharesOf(request: FastifyRequest): readonly string[] {
    const uuid = paramsOf(request).server ?? '';
    if (!state.servers.has(uuid)) throw new SimulatedApiError(404, `Instance ${uuid} has no mapping to a cell.`);
    return serverOf(simulation, request).shares;
  }
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

/** The body of `POST /servers`: name, flavorRef, metadata, availability_zone, hints, and from 2.74 on host. */
function newServer(simulation: Simulation, request: FastifyRequest): NewServer {
  const body = objectBody(request);
  const fields = (body.server ?? {}) as Record<string, unknown>;
  const { name, flavorRef, metadata, availability_zone: zone, host } = fields;
  if (typeof name !== 'string') {
    throw new SimulatedApiError(400, schemaMessage('server', fields, "'name' is a required property"));
  }
  if (name === '') throw new SimulatedApiError(400, schemaMessage('name', name, "'' should be non-empty"));
  const flavor = simulation.state.flavors.get(String(flavorRef).split('/').at(-1) ?? '');
  if (flavor === undefined) throw new SimulatedApiError(400, `Flavor ${String(flavorRef)} could not be found.`);
  const hints = hintsOf(body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints'] ?? {});
  refuseUnknownPlaces(simulation, hints, zone);
  if (host !== undefined && minorOf(request) >= 74) requireAdmin(request, 'servers:create:forced_host');
  return {
    name,
    flavor,
    host: host === undefined ? null : hostNamed(simulation, host),
    pinnedZone: typeof zone === 'string' ? zone : null,
    schedulerHints: hints,
    metadata: (metadata ?? {}) as Record<string, string>,
  };
}

/** Refuses unknown groups and zones with 400. */
function refuseUnknownPlaces({ state }: Simulation, hints: Record<string, string[]>, zone: unknown): void {
  const group = hints.group?.[0];
  if (group !== undefined && ![...state.groups.values()].some(({ uuid }) => uuid === group)) {
    throw new SimulatedApiError(400, `Instance group ${group} could not be found.`);
  }
  const zones = new Set([...state.hosts.values()].map((host) => host.zone));
  if (typeof zone !== 'string' || zones.has(zone.split(':')[0] ?? '')) return;
  throw new SimulatedApiError(400, 'The requested availability zone is not available');
}

/** Nova stores each hint as a list. It checks only the uuids of `different_host`. */
function hintsOf(given: unknown): Record<string, string[]> {
  const invalid = (name: string, value: unknown) => {
    const reason = `${pythonText(value, true)} is not valid under any of the given schemas`;
    return new SimulatedApiError(400, schemaMessage(name, value, reason));
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('os:scheduler_hints', given);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      const values = Array.isArray(value) ? value.map(String) : [String(value)];
      if (name === 'different_host' && !values.every(isUuid)) throw invalid(name, value);
      return [name, values];
    }),
  );
}

function shareView(id: string): object {
  return { share_id: id, status: 'active', tag: id };
}

function diagnosticsView(server: SimulatedServer, nowMs: number): object {
  return {
    state: server.powerState === 1 ? 'running' : 'shutdown',
    driver: 'libvirt',
    hypervisor: 'kvm',
    hypervisor_os: 'linux',
    config_drive: false,
    num_cpus: server.flavor.vcpus,
    num_disks: 1,
    num_nics: 0,
    uptime: Math.max(0, Math.round((nowMs - server.launchedAt) / 1000)),
    cpu_details: [],
    disk_details: [],
    nic_details: [],
    memory_details: { maximum: server.flavor.ramMb, used: 0 },
  };
}

function attachmentView({ uuid }: SimulatedServer, volume: string, minor: number): object {
  return {
    ...(minor >= 89 ? { attachment_id: null, bdm_uuid: volume } : { id: volume }),
    device: '/dev/vdb',
    serverId: uuid,
    volumeId: volume,
    ...(minor >= 70 ? { tag: null } : {}),
    ...(minor >= 79 ? { delete_on_termination: false } : {}),
  };
}

function isTrue(text: string | undefined): boolean {
  if (text === undefined) return false;
  if (/^(1|t|true|on|y|yes|)$/i.test(text)) return true;
  if (/^(0|f|false|off|n|no)$/i.test(text)) return false;
  const words = "'0', '1', 'f', 'false', 'n', 'no', 'off', 'on', 't', 'true', 'y', 'yes'";
  throw new SimulatedApiError(400, `Unrecognized value '${text}', acceptable values are: ${words}`);
}

type Filter = (server: SimulatedServer) => boolean;

/** Filters for administrators are ignored for other users, as in Nova. */
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

/** The single event of a request. The real Nova has several for some requests. */
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
