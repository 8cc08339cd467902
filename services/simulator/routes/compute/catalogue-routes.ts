import type { FastifyInstance } from 'fastify';
import { isUp, type SimulatedAggregate, type SimulatedServerGroup } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { isAdmin, microTime, paramsOf, queryOf, tokenOf } from '../request-context.ts';
import { minorOf, requireAdmin } from './compute-scope.ts';

/** Rarely changing data: aggregates, availability zones and server groups. */
export function catalogueRoutes(scope: FastifyInstance, simulation: Simulation): void {
  aggregateRoutes(scope, simulation);
  zoneRoutes(scope, simulation);
  groupRoutes(scope, simulation);
}

function aggregateView(aggregate: SimulatedAggregate, minor: number): object {
  return {
    id: aggregate.id,
    name: aggregate.name,
    availability_zone: aggregate.metadata.availability_zone ?? null,
    hosts: [...aggregate.hosts],
    metadata: aggregate.metadata,
    created_at: microTime(aggregate.createdAt),
    updated_at: null,
    deleted: false,
    deleted_at: null,
    ...(minor >= 41 ? { uuid: aggregate.uuid } : {}),
  };
}

function aggregateRoutes(scope: FastifyInstance, { state }: Simulation): void {
  scope.get('/os-aggregates', async (request) => {
    requireAdmin(request, 'os-aggregates:index');
    return {
      aggregates: [...state.aggregates.values()].map((aggregate) => aggregateView(aggregate, minorOf(request))),
    };
  });
  scope.get('/os-aggregates/:aggregate', async (request) => {
    requireAdmin(request, 'os-aggregates:show');
    const id = paramsOf(request).aggregate ?? '';
    const aggregate = state.aggregates.get(Number(id));
    if (aggregate === undefined) throw new SimulatedApiError(404, `Aggregate ${id} could not be found.`);
    return { aggregate: aggregateView(aggregate, minorOf(request)) };
  });
}

function zoneRoutes(scope: FastifyInstance, { state, clock }: Simulation): void {
  const names = () => [...new Set([...state.hosts.values()].map((host) => host.zone))];

  scope.get('/os-availability-zone', async () => ({
    availabilityZoneInfo: names().map((zoneName) => ({ zoneName, zoneState: { available: true }, hosts: null })),
  }));
  scope.get('/os-availability-zone/detail', async (request) => {
    requireAdmin(request, 'os-availability-zone:detail');
    const seen = { active: true, available: true, updated_at: microTime(clock.now()) };
    const internal = {
      zoneName: 'internal',
      zoneState: { available: true },
      hosts: { controller: { 'nova-conductor': seen, 'nova-scheduler': seen } },
    };
    const zones = names().map((zoneName) => ({
      zoneName,
      zoneState: { available: true },
      hosts: Object.fromEntries(
        [...state.hosts.values()]
          .filter((host) => host.zone === zoneName)
          .map((host) => [
            host.name,
            { 'nova-compute': { ...seen, active: host.status === 'enabled', available: isUp(host) } },
          ]),
      ),
    }));
    return { availabilityZoneInfo: [internal, ...zones] };
  });
}

function groupView(group: SimulatedServerGroup, minor: number): object {
  const members = [...group.members].map((server) => server.uuid);
  const rules = group.policy === 'anti-affinity' ? { max_server_per_host: group.maxServerPerHost } : {};
  return {
    id: group.uuid,
    name: group.name,
    members,
    ...(minor >= 64 ? { policy: group.policy, rules } : { policies: [group.policy], metadata: {} }),
    ...(minor >= 13 ? { project_id: group.projectId, user_id: group.projectId } : {}),
  };
}

function groupRoutes(scope: FastifyInstance, { state }: Simulation): void {
  scope.get('/os-server-groups', async (request) => {
    const query = queryOf(request);
    const all = isAdmin(request) && /^(true|1|yes)$/i.test(query.all_projects ?? '');
    const own = tokenOf(request).project?.id;
    const found = [...state.groups.values()].filter((group) => all || group.projectId === own);
    const start = Number(query.offset ?? 0);
    const page = found.slice(start, start + Number(query.limit ?? 1000));
    return { server_groups: page.map((group) => groupView(group, minorOf(request))) };
  });
  scope.get('/os-server-groups/:group', async (request) => {
    const id = paramsOf(request).group;
    const group = [...state.groups.values()].find((candidate) => candidate.uuid === id);
    if (group === undefined) throw new SimulatedApiError(404, `Instance group ${id} could not be found.`);
    return { server_group: groupView(group, minorOf(request)) };
  });
}
