import { isIPv4 } from 'node:net';
import type { BaremetalModelInput, ComputeModelInput, StorageModelInput } from '#libs/cluster-model';
import type { Hypervisor, Inventory, Server, StoragePool, Volume } from '#libs/openstack';
import {
  vnicTypes,
  type WorldFile,
  type WorldFlavor,
  type WorldHost,
  type WorldNode,
  type WorldPool,
  type WorldServer,
  type WorldUnits,
  type WorldVolume,
} from '#libs/world-file';
import { type ForeignAllocations, foreignAllocations } from './foreign-allocations.ts';

/** Listings of a cloud. Storage and bare metal are null where the catalogue has none. */
export interface CloudListings {
  compute: ComputeModelInput;
  storage: StorageModelInput | null;
  baremetal: BaremetalModelInput | null;
}

/** A cloud as a world, and the instances that a world cannot contain. */
export interface DescribedWorld {
  world: WorldFile;
  /** Number of instances without a host: shelved ones, and those that are being built or failed to build. */
  left: number;
}

const states: Readonly<Record<string, WorldServer['state']>> = {
  stopped: 'stopped',
  paused: 'paused',
  suspended: 'suspended',
  error: 'error',
  shelved: 'stopped',
  'soft-delete': 'stopped',
};
const knownVnicTypes = new Set<string>(vnicTypes);
const knownPowerStates = [0, 1, 3, 4, 6, 7];
const longestName = 255;

/** Converts the listings of a cloud to the inventory of a world. Lists are sorted by names and ids. Pure. */
export function describeWorld({ compute, storage, baremetal }: CloudListings): DescribedWorld {
  const hypervisors = distinctHosts(compute.hypervisors);
  const known = new Set(hypervisors.map(({ serviceHost }) => serviceHost));
  const present = compute.servers.filter(({ host, vmState }) => vmState !== 'deleted' && known.has(host ?? ''));
  const foreign = foreignAllocations(compute, present);
  const hosts = hypervisors.map((hypervisor) => hostOf(hypervisor, compute, foreign));
  const { flavors, nameOf } = flavorsOf(present);
  const stored = storageOf(storage, compute.hostBoundVolumes ?? new Set());
  const groups = groupsOf(compute);
  const ports = portsOf(compute);
  const servers = present
    .map(
      (server): WorldServer => ({
        ...serverOf(server, stored.nameOf),
        flavor: nameOf(server),
        group: groups.of(server),
        ports: ports.get(server.uuid),
        shares: compute.shares?.get(server.uuid) === true ? ['share'] : undefined,
      }),
    )
    .sort(by(({ uuid }) => uuid ?? ''));
  const world: WorldFile = {
    format: 'vigil-simulator-world',
    version: 1,
    name: 'recorded',
    storage: (compute.sharedDisks?.size ?? 0) > 0 ? 'shared' : 'local',
    hosts,
    flavors,
    servers,
    aggregates: compute.aggregates
      .map(({ name, hosts: members, metadata, availabilityZone: zone }) => ({
        name,
        hosts: members.filter((host) => known.has(host)).sort(),
        metadata: zone === null ? metadata : { ...metadata, availability_zone: zone },
      }))
      .sort(by(({ name }) => name)),
    server_groups: groups.list,
    ...stored.lists,
    ...(baremetal === null ? {} : { baremetal_nodes: nodesOf(baremetal, hypervisors) }),
  };
  // Removes the undefined fields.
  return { world: JSON.parse(JSON.stringify(world)), left: compute.servers.length - present.length };
}

function by<Item>(key: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other)));
}

function distinctHosts(hypervisors: readonly Hypervisor[]): Hypervisor[] {
  const byHost = new Map(hypervisors.map((hypervisor) => [hypervisor.serviceHost, hypervisor]));
  return [...byHost.values()].sort(by(({ serviceHost }) => serviceHost));
}

function hostOf(hypervisor: Hypervisor, compute: ComputeModelInput, foreign: ForeignAllocations): WorldHost {
  const { uuid, serviceHost, hostIp } = hypervisor;
  return {
    hostname: serviceHost,
    uuid,
    ...capacityOf(hypervisor, compute),
    ...serviceOf(hypervisor, compute),
    foreign_allocations: foreign.get(uuid),
    traits: [...(compute.traits.get(uuid) ?? [])].sort(),
    cell: compute.cellOf?.(serviceHost) ?? undefined,
    host_ip: isIPv4(hostIp ?? '') ? hostIp : undefined,
    hypervisor_version: hypervisor.hypervisorVersion,
    cpu_arch: hypervisor.cpu?.architecture || undefined,
    cpu_model: hypervisor.cpu?.model || undefined,
  };
}

function capacityOf(hypervisor: Hypervisor, { inventories, sharedDisks }: ComputeModelInput) {
  const inventory = inventories.get(hypervisor.uuid) ?? {};
  const shared = inventories.get(sharedDisks?.get(hypervisor.uuid) ?? '') ?? {};
  const room = (name: string, total: number | null): Pick<Inventory, 'total' | 'reserved' | 'allocationRatio'> =>
    inventory[name] ?? { total: total ?? 0, reserved: 0, allocationRatio: 1 };
  const [vcpu, memory] = [room('VCPU', hypervisor.vcpus), room('MEMORY_MB', hypervisor.memoryMb)];
  const disk = inventory.DISK_GB ?? shared.DISK_GB ?? room('DISK_GB', hypervisor.localDiskGb);
  return {
    vcpus: vcpu.total,
    memory_mb: Math.max(1, memory.total),
    disk_gb: disk.total,
    pcpus: inventory.PCPU?.total,
    vgpus: inventory.VGPU?.total,
    cpu_allocation_ratio: vcpu.allocationRatio,
    ram_allocation_ratio: memory.allocationRatio,
    disk_allocation_ratio: disk.allocationRatio,
    reserved_vcpus: vcpu.reserved,
    reserved_memory_mb: memory.reserved,
    reserved_disk_gb: disk.reserved,
    units: unitsOf(inventory),
  };
}

/** The limits that differ from the reported ones. Undefined when none differs. */
function unitsOf(inventory: Readonly<Record<string, Inventory>>): WorldHost['units'] {
  const limited = (['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const).flatMap((name) => {
    const { total = 0, minUnit: min = 1, maxUnit: max = total, stepSize: step = 1 } = inventory[name] ?? {};
    const units: WorldUnits = {
      ...(min > 1 && { min_unit: min }),
      ...(max < total && { max_unit: Math.max(1, max) }),
      ...(step > 1 && { step_size: step }),
    };
    return Object.keys(units).length === 0 ? [] : [[name, units] as const];
  });
  return limited.length === 0 ? undefined : Object.fromEntries(limited);
}

function serviceOf(hypervisor: Hypervisor, { services }: ComputeModelInput): Partial<WorldHost> {
  const service = services.find(({ host, binary }) => host === hypervisor.serviceHost && binary === 'nova-compute');
  const isUp = hypervisor.state === 'up' && (service?.state ?? 'up') === 'up';
  return {
    zone: service?.zone || undefined,
    status: service?.status ?? hypervisor.status,
    disabled_reason: (service?.disabledReason ?? hypervisor.disabledReason)?.slice(0, longestName) || undefined,
    state: isUp || service?.forcedDown ? 'up' : 'down',
    forced_down: service?.forcedDown || undefined,
  };
}

/** Instances keep a copy of their flavor. Different flavors with the same name get a number. */
function flavorsOf(servers: readonly Server[]): { flavors: WorldFlavor[]; nameOf(server: Server): string } {
  const textOf = ({ flavor }: Server) => JSON.stringify({ ...flavor, id: null, extraSpecs: sorted(flavor.extraSpecs) });
  const distinct = [...new Map(servers.map((server) => [textOf(server), server.flavor]))].sort(by(([text]) => text));
  const names = uniqueNames(distinct.map(([, { name }]) => name || 'flavor'));
  const byText = new Map(distinct.map(([text], row) => [text, names[row] as string]));
  const flavors = distinct.map(
    ([, flavor], row): WorldFlavor => ({
      name: names[row] as string,
      vcpus: flavor.vcpus,
      ram_mb: flavor.ramMb,
      disk_gb: flavor.diskGb,
      ephemeral_gb: flavor.ephemeralGb || undefined,
      swap_mb: flavor.swapMb || undefined,
      extra_specs: sorted(flavor.extraSpecs),
    }),
  );
  return { flavors, nameOf: (server) => byText.get(textOf(server)) as string };
}

function sorted(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function serverOf(server: Server, volumeName: ReadonlyMap<string, string>): Omit<WorldServer, 'flavor'> {
  const volumes = server.attachedVolumeIds.flatMap((uuid) => volumeName.get(uuid) ?? []);
  const hints = Object.entries(server.schedulerHints ?? {}).flatMap(([name, values]) => {
    const kept = values.filter((value) => value !== '').map((value) => value.slice(0, longestName));
    return kept.length === 0 ? [] : [[name, kept] as const];
  });
  return {
    name: server.name || server.uuid,
    uuid: server.uuid,
    host: server.host ?? '',
    project: server.projectId || undefined,
    state: states[server.vmState] ?? 'active',
    power_state: knownPowerStates.includes(server.powerState)
      ? (server.powerState as WorldServer['power_state'])
      : undefined,
    metadata: sorted(server.metadata),
    locked: server.locked || undefined,
    volumes: volumes.length === 0 ? undefined : volumes,
    boot_from_volume: server.bootedFromVolume || undefined,
    image_properties: server.imageProperties && sorted(server.imageProperties),
    pinned_zone: server.pinnedAvailabilityZone || undefined,
    scheduler_hints: server.schedulerHints && Object.fromEntries(hints.sort(by(([name]) => name))),
    created: Number.isNaN(Date.parse(server.created)) ? undefined : new Date(server.created).toISOString(),
  };
}

function portsOf({ ports = [] }: ComputeModelInput): ReadonlyMap<string, NonNullable<WorldServer['ports']>> {
  const found = new Map<string, NonNullable<WorldServer['ports']>>();
  for (const { serverUuid, vnicType, hasResourceRequest } of ports) {
    const known = found.get(serverUuid) ?? [];
    // The amount is not listed. Any amount makes it a port with a resource request in Placement.
    known.push({
      vnic_type: knownVnicTypes.has(vnicType ?? '') ? (vnicType ?? undefined) : 'normal',
      ...(hasResourceRequest ? { minimum_kbps: 1 } : {}),
    });
    found.set(serverUuid, known);
  }
  return found;
}

function groupsOf({ serverGroups, servers }: ComputeModelInput) {
  const ordered = [...serverGroups].sort(by(({ uuid }) => uuid));
  const names = uniqueNames(ordered.map(({ name }) => name || 'group'));
  const byUuid = new Map(ordered.map(({ uuid }, row) => [uuid, names[row] as string]));
  const byMember = new Map(ordered.flatMap(({ members }, row) => members.map((uuid) => [uuid, names[row] as string])));
  const projects = new Map(servers.map(({ uuid, projectId }) => [uuid, projectId]));
  return {
    list: ordered.map(({ uuid, policy, maxServerPerHost, members }, row) => ({
      name: names[row] as string,
      uuid,
      policy,
      project: projects.get(members[0] ?? '') || undefined,
      max_server_per_host: maxServerPerHost === 1 ? undefined : maxServerPerHost,
    })),
    of: ({ uuid, serverGroupIds }: Server) =>
      byMember.get(uuid) ?? serverGroupIds.map((id) => byUuid.get(id)).find((name) => name !== undefined),
  };
}

function poolOf(pool: StoragePool, isBound: boolean): WorldPool {
  return {
    name: pool.name,
    total_gb: Math.round(pool.totalCapacityGb ?? 0),
    free_gb: Math.max(0, Math.round(pool.freeCapacityGb ?? 0)),
    backend_name: pool.volumeBackendName || undefined,
    host_bound: isBound || undefined,
  };
}

const noStorage = { lists: {}, nameOf: new Map<string, string>() };

function storageOf(storage: StorageModelInput | null, bound: ReadonlySet<string>) {
  if (storage === null) return noStorage;
  const boundPools = new Set(storage.volumes.filter(({ uuid }) => bound.has(uuid)).map(({ host }) => host));
  const pools = storage.pools.filter(({ name }) => /^[^@#]+@[^@#]+#[^@#]+$/.test(name)).sort(by(({ name }) => name));
  const poolNames = new Set(pools.map(({ name }) => name));
  const types = new Set((storage.types ?? []).map(({ name }) => name));
  const volumes = storage.volumes
    .filter(({ host, sizeGb }) => poolNames.has(host ?? '') && sizeGb > 0)
    .sort(by(({ uuid }) => uuid));
  const names = uniqueNames(volumes.map(({ name }) => name || 'volume'));
  const lists: Partial<WorldFile> = {
    pools: pools.map((pool) => poolOf(pool, boundPools.has(pool.name))),
    volume_types: [...(storage.types ?? [])]
      .sort(by(({ name }) => name))
      .map(({ name, extraSpecs }) => ({ name, extra_specs: sorted(extraSpecs) })),
    volumes: volumes.map((volume, row) => volumeOf(volume, names[row] as string, types)),
  };
  return { lists, nameOf: new Map(volumes.map(({ uuid }, row) => [uuid, names[row] as string])) };
}

function volumeOf(volume: Volume, name: string, types: ReadonlySet<string>): WorldVolume {
  return {
    name,
    uuid: volume.uuid,
    size_gb: volume.sizeGb,
    type: types.has(volume.volumeType ?? '') ? (volume.volumeType ?? undefined) : undefined,
    pool: volume.host ?? undefined,
    project: volume.projectId || undefined,
    multiattach: volume.multiattach || undefined,
    group: volume.groupId,
    replicated: volume.replicated,
    encrypted: volume.encrypted,
  };
}

function nodesOf({ nodes }: BaremetalModelInput, hypervisors: readonly Hypervisor[]): WorldNode[] {
  const hosts = new Map(hypervisors.map(({ uuid, serviceHost }) => [uuid, serviceHost]));
  const ordered = [...nodes].sort(by(({ uuid }) => uuid));
  const names = uniqueNames(ordered.map(({ name, uuid }) => name || uuid));
  return ordered.map((node, row) => ({
    name: names[row] as string,
    uuid: node.uuid,
    host: hosts.get(node.computeNodeId ?? ''),
    power_state: node.powerState === 'power off' ? 'power off' : 'power on',
    maintenance_reason: node.maintenance
      ? node.maintenanceReason?.slice(0, longestName) || 'without a reason'
      : undefined,
  }));
}

/** Truncates names to 255 characters. The second of equal names gets `~2`, and so on. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name.slice(0, longestName);
    for (let number = 2; taken.has(unique); number += 1) unique = `${name.slice(0, longestName - 8)}~${number}`;
    taken.add(unique);
    return unique;
  });
}
