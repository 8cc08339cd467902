import {
  buildComputeSnapshot,
  type ComputeModelInput,
  type ComputeSnapshot,
  type NovaFilter,
  needsTraits,
} from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { Cloud, CloudCallOptions, Image, Server, Volume } from '#libs/openstack';
import { type CellOf, unreachableCells } from './cells.ts';
import { createOptionalListing } from './errors.ts';
import { type Collector, collectThrough } from './foreign-collectors.ts';
import { readPlacement } from './placement-reader.ts';
import type { PortReader } from './port-reader.ts';
import type { ShareReader } from './share-reader.ts';

export interface CollectorOptions {
  clock: Clock;
  signal?: AbortSignal;
  /** Concurrent requests to Placement. Default 16. */
  concurrency?: number;
  /** Names the cells of service hosts. Instances are not moved between cells. Default: no cell has a name. */
  cellOf?: CellOf;
  /** Patterns of Cinder pools whose volumes only one host reaches. Default: none, and volumes are not read. */
  hostBoundPools?: readonly string[];
  /** Whether guests have the same CPU model on hosts with different CPUs. Default false. */
  mixedCpuModels?: boolean;
  /** Enabled filters of Nova's scheduler. Default: all. */
  novaFilters?: readonly NovaFilter[];
  /** Reads the shares of servers. Default: none are read. */
  shares?: ShareReader;
  /** Reads the network ports of servers. Default: none are read. */
  ports?: PortReader;
  /** Whether the traits of hosts are read even if no flavor requests one. Default false. */
  allTraits?: boolean;
  /** Transforms the listings before the model. Default: none. */
  collector?: Collector<ComputeModelInput>;
}

const defaultConcurrency = 16;

/**
 * Reads the compute part of a cloud into a snapshot. Hypervisors, services, aggregates and server groups need one
 * listing each, servers are paged, and every host has its inventories and allocations. Rejects when hypervisors or
 * servers cannot be listed. Other missing parts make the snapshot incomplete. `gaps` names them.
 */
export function collectComputeModel(cloud: Cloud, options: CollectorOptions): Promise<ComputeSnapshot> {
  const read = () => listCompute(cloud, options);
  return collectThrough(options.collector, { read, build: buildComputeSnapshot, signal: options.signal });
}

/** The listings from which `collectComputeModel` builds its snapshot. Rejects in the same cases. */
export async function listCompute(cloud: Cloud, options: CollectorOptions): Promise<ComputeModelInput> {
  const { clock, signal, concurrency = defaultConcurrency, cellOf = () => null, hostBoundPools = [] } = options;
  const call = { signal };
  const gaps: string[] = [];
  const takenAtMs = clock.now();
  const optional = createOptionalListing(gaps, signal);
  let groupsUnknown = false;
  const groupsFail = (error: unknown) => {
    groupsUnknown = true;
    throw error;
  };
  const { compute } = cloud;
  const [hypervisors, listed, services, aggregates, serverGroups, volumes] = await Promise.all([
    compute.listHypervisors(call),
    compute.listServers({}, call),
    optional('compute services', compute.listServices(call)),
    optional('host aggregates', compute.listAggregates(call)),
    optional('server groups', compute.listServerGroups(call).catch(groupsFail)),
    optional('volumes', hostBoundPools.length === 0 ? Promise.resolve([]) : cloud.volume.listVolumes(call)),
  ]);
  const images = needsImages(listed) ? await optional('images', listImages(cloud, call)) : [];
  const servers = withImageProperties(listed, images);
  const hosts = hypervisors.filter(({ hypervisorType }) => hypervisorType.toLowerCase() !== 'ironic');
  const readingPorts = options.ports?.read(cloud, call);
  const reading = options.shares?.read(
    cloud,
    listed.map(({ uuid }) => uuid),
    call,
  );
  const placement = await readPlacement(cloud.placement, hosts, {
    ...call,
    concurrency,
    withTraits:
      options.allTraits === true ||
      servers.some(({ flavor, imageProperties }) =>
        needsTraits({ flavorExtraSpecs: flavor.extraSpecs, imageProperties }),
      ),
  });
  const [shares, ports] = await Promise.all([reading, readingPorts]);
  gaps.push(...unreachableCells(services, servers, cellOf));
  return {
    hypervisors: hosts,
    services,
    // The host and the size of a server in an unreadable cell are unknown.
    servers: servers.filter(({ status }) => status !== 'UNKNOWN'),
    aggregates,
    serverGroups,
    groupsUnknown,
    mixedCpuModels: options.mixedCpuModels ?? false,
    novaFilters: options.novaFilters,
    shares,
    ...ports,
    cellOf,
    hostBoundVolumes: hostBoundVolumes(volumes, hostBoundPools),
    takenAtMs,
    ...placement,
    gaps: [...gaps, ...placement.gaps],
  };
}

function asPattern(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`);
}

/** Uuids of the volumes in pools (`host@backend#pool`) that match a pattern. `*` matches any characters. */
function hostBoundVolumes(volumes: readonly Volume[], pools: readonly string[]): Set<string> {
  const patterns = pools.map(asPattern);
  const isBound = ({ host }: Volume) => host !== null && patterns.some((pattern) => pattern.test(host));
  return new Set(volumes.filter(isBound).map(({ uuid }) => uuid));
}

/** Whether Nova does not return the properties of the servers' images (before 2.98). Then Glance is queried. */
export function needsImages(servers: readonly Server[]): boolean {
  return servers.some(({ imageId, imageProperties }) => imageId !== undefined && imageProperties === undefined);
}

/** All images. Empty when the cloud has no Glance. */
export async function listImages(cloud: Cloud, options: CloudCallOptions): Promise<Image[]> {
  if (cloud.image === undefined || (await cloud.hasImageService?.(options)) !== true) return [];
  return await cloud.image.listImages(options);
}

/**
 * The servers with the current properties of their images, when Nova does not return those at creation. A deleted
 * image has no properties.
 */
export function withImageProperties(servers: readonly Server[], images: readonly Image[]): Server[] {
  const known = new Map(images.map(({ uuid, properties }) => [uuid, properties]));
  return servers.map((server) => {
    const imageProperties = server.imageProperties ?? known.get(server.imageId ?? '');
    return imageProperties === undefined ? server : { ...server, imageProperties };
  });
}
