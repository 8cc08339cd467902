import type { FastifyInstance, FastifyRequest } from 'fastify';
import { derivedUuid } from '#libs/world-file';
import type { SimulatedPool, SimulatedVolume } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { respondErrorsLike } from '../error-responses.ts';
import { negotiateMicroversion } from '../microversions.ts';
import { contextOf, isAdmin, microTime, originOf, paramsOf, queryOf, tokenOf } from '../request-context.ts';
import { requireToken } from '../request-hooks.ts';
import { requireAdmin, volumeActionRoutes, volumeOf } from './volume-action-routes.ts';

/** Microversions that the simulated Cinder serves. */
export const volumeVersions = { name: 'volume', major: 3, minMinor: 0, maxMinor: 71 } as const;

const publicPaths = /^\/volume\/?$|^\/volume\/v3\/?$/;

/** Cinder v3 below `/volume`: reads, migration and change of type. With and without the project in the path. */
export function volumeRoutes(simulation: Simulation) {
  return async (scope: FastifyInstance): Promise<void> => {
    respondErrorsLike(scope, 'volume');
    requireToken(scope, simulation, (path) => publicPaths.test(path));
    negotiateMicroversion(scope, volumeVersions);
    const version = (request: FastifyRequest) => ({
      id: 'v3.0',
      status: 'CURRENT',
      version: `3.${volumeVersions.maxMinor}`,
      min_version: '3.0',
      updated: '2023-08-31T00:00:00Z',
      links: [{ rel: 'self', href: `${originOf(request)}/volume/v3/` }],
      'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.volume+json;version=3' }],
    });
    scope.get('/', async (request, reply) => reply.code(300).send({ versions: [version(request)] }));
    scope.get('/v3', async (request) => ({ versions: [version(request)] }));
    for (const prefix of ['/v3', '/v3/:project']) {
      await scope.register(
        async (versioned) => {
          storageRoutes(versioned, simulation);
          volumeActionRoutes(versioned, simulation);
        },
        { prefix },
      );
    }
  };
}

function storageRoutes(scope: FastifyInstance, simulation: Simulation): void {
  const { state } = simulation;

  function visible(request: FastifyRequest): SimulatedVolume[] {
    const query = queryOf(request);
    const admin = isAdmin(request);
    const all = admin && /^(true|1)$/i.test(query.all_tenants ?? '');
    const own = tokenOf(request).project?.id;
    return [...state.volumes.values()].filter(
      (volume) => (all || volume.projectId === own) && (query.name === undefined || volume.name === query.name),
    );
  }
  function page(request: FastifyRequest): { volumes: SimulatedVolume[]; next: string | null } {
    const query = queryOf(request);
    const volumes = visible(request);
    const start = query.marker === undefined ? 0 : volumes.findIndex((volume) => volume.uuid === query.marker) + 1;
    if (query.marker !== undefined && start === 0) {
      throw new SimulatedApiError(404, `Volume ${query.marker} could not be found.`);
    }
    if (!/^\d+$/.test(query.limit ?? '1')) throw new SimulatedApiError(400, 'limit param must be an integer');
    const limit = Math.min(1000, Number(query.limit ?? 1000));
    const found = volumes.slice(start, start + limit);
    return { volumes: found, next: start + limit < volumes.length ? (found.at(-1)?.uuid ?? null) : null };
  }
  function links(request: FastifyRequest, next: string | null): object {
    if (next === null) return {};
    const url = new URL(request.url, originOf(request));
    url.searchParams.set('marker', next);
    return { volumes_links: [{ rel: 'next', href: url.href }] };
  }

  scope.get('/volumes', async (request) => {
    const { volumes, next } = page(request);
    return { volumes: volumes.map(({ uuid, name }) => ({ id: uuid, name, links: [] })), ...links(request, next) };
  });
  scope.get('/volumes/detail', async (request) => {
    const { volumes, next } = page(request);
    return { volumes: volumes.map((volume) => volumeView(volume, simulation, request)), ...links(request, next) };
  });
  scope.get('/volumes/:volume', async (request) => ({
    volume: volumeView(volumeOf(simulation, request), simulation, request),
  }));
  const typeView = (type: { id: string; name: string; extraSpecs: Record<string, string> }) => ({
    id: type.id,
    name: type.name,
    description: null,
    is_public: true,
    'os-volume-type-access:is_public': true,
    qos_specs_id: null,
    extra_specs: type.extraSpecs,
  });
  scope.get('/types', async () => ({ volume_types: state.volumeTypes.map(typeView) }));
  scope.get('/types/:type', async (request) => {
    const id = paramsOf(request).type;
    const type = state.volumeTypes.find((candidate) => candidate.id === id);
    if (type === undefined) throw new SimulatedApiError(404, `Volume type ${id} could not be found.`);
    return { volume_type: typeView(type) };
  });
  scope.get('/scheduler-stats/get_pools', async (request) => {
    requireAdmin(request, 'scheduler_extension:scheduler_stats:get_pools');
    const withDetail = /^true$/i.test(queryOf(request).detail ?? '');
    const pools = state.pools.filter((pool) => pool.alive);
    return { pools: pools.map((pool) => (withDetail ? poolView(pool) : { name: pool.name })) };
  });
  scope.get('/os-services', async (request) => {
    requireAdmin(request, 'volume_extension:services:index');
    const { binary, host } = queryOf(request);
    const rows = serviceRows(simulation, contextOf(request).minor).filter(
      (row) => (binary === undefined || row.binary === binary) && (host === undefined || row.host === host),
    );
    return { services: rows };
  });
  scope.get('/snapshots/detail', async () => ({ snapshots: [] }));
  scope.get('/snapshots', async () => ({ snapshots: [] }));
}

function volumeView(volume: SimulatedVolume, { state }: Simulation, request: FastifyRequest): object {
  const { minor } = contextOf(request);
  const server = volume.attachedTo;
  const attachmentId = derivedUuid(`attachment/${volume.uuid}`);
  const attachments =
    server === null
      ? []
      : [
          {
            id: volume.uuid,
            volume_id: volume.uuid,
            attachment_id: attachmentId,
            server_id: server.uuid,
            host_name: null,
            device: '/dev/vda',
            attached_at: microTime(volume.createdAt),
          },
        ];
  const boots = server?.bootFromVolume === true && server.volumeUuids[0] === volume.uuid;
  return {
    id: volume.uuid,
    name: volume.name,
    description: null,
    status: volume.busy ?? (server === null ? 'available' : 'in-use'),
    size: volume.sizeGb,
    volume_type: volume.type,
    availability_zone: 'nova',
    attachments,
    bootable: boots ? 'true' : 'false',
    encrypted: volume.encrypted,
    multiattach: volume.multiattach,
    metadata: {},
    snapshot_id: null,
    source_volid: null,
    consistencygroup_id: null,
    replication_status: volume.replicated ? 'enabled' : null,
    user_id: volume.projectId,
    created_at: microTime(volume.createdAt),
    updated_at: microTime(volume.updatedAt),
    links: linksOf(volume, request),
    migration_status: volume.migrationStatus,
    ...versionedFields(volume, state, minor),
    'os-vol-host-attr:host': volume.pool,
    'os-vol-mig-status-attr:migstat': volume.migrationStatus,
    'os-vol-mig-status-attr:name_id': volume.nameId,
    'os-vol-tenant-attr:tenant_id': volume.projectId,
  };
}

function linksOf({ uuid }: SimulatedVolume, request: FastifyRequest): object[] {
  const base = `${originOf(request)}/volume`;
  return [
    { rel: 'self', href: `${base}/v3/volumes/${uuid}` },
    { rel: 'bookmark', href: `${base}/volumes/${uuid}` },
  ];
}

function versionedFields(volume: SimulatedVolume, state: Simulation['state'], minor: number): object {
  const type = state.volumeTypes.find(({ name }) => name === volume.type);
  return {
    ...(minor >= 13 ? { group_id: volume.groupId } : {}),
    ...(minor >= 21 ? { provider_id: null } : {}),
    ...(minor >= 48 ? { service_uuid: derivedUuid(`volume-service/${volume.pool}`), shared_targets: true } : {}),
    ...(minor >= 61 ? { cluster_name: null } : {}),
    ...(minor >= 63 ? { volume_type_id: type?.id ?? null } : {}),
    ...(minor >= 65 ? { consumes_quota: true } : {}),
  };
}

/** State of the last report, as in Cinder's scheduler. */
function poolView(pool: SimulatedPool): object {
  const { atMs, freeGb, provisionedGb, allocatedGb, volumes } = pool.report;
  return {
    name: pool.name,
    capabilities: {
      pool_name: pool.name.split('#')[1],
      volume_backend_name: pool.backendName,
      total_capacity_gb: pool.totalGb,
      free_capacity_gb: freeGb,
      provisioned_capacity_gb: provisionedGb,
      allocated_capacity_gb: allocatedGb,
      total_volumes: volumes,
      timestamp: microTime(atMs),
      max_over_subscription_ratio: String(pool.maxOverSubscriptionRatio),
      reserved_percentage: 0,
      thin_provisioning_support: true,
      driver_version: '3.0.0',
      storage_protocol: 'ceph',
      vendor_name: 'simulated',
    },
  };
}

function serviceRows({ state, clock }: Simulation, minor: number): { binary: string; host: string }[] {
  const backends = new Map<string, SimulatedPool>();
  for (const pool of state.pools) backends.set(pool.name.split('#')[0] as string, pool);
  const row = (binary: string, host: string, pool?: SimulatedPool) => ({
    binary,
    host,
    zone: 'nova',
    status: pool?.status ?? 'enabled',
    state: pool?.alive === false ? 'down' : 'up',
    updated_at: microTime(clock.now()),
    disabled_reason: null,
    replication_status: 'disabled',
    active_backend_id: null,
    frozen: false,
    ...(minor >= 7 ? { cluster: null } : {}),
    ...(minor >= 49 ? { backend_state: 'up' } : {}),
  });
  return [
    row('cinder-scheduler', 'controller'),
    ...[...backends].map(([host, pool]) => row('cinder-volume', host, pool)),
  ];
}
