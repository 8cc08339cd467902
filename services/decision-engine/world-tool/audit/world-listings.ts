import type { ComputeModelInput } from '#libs/cluster-model';
import type { FlavorDetails, Hypervisor, Inventory, Server } from '#libs/openstack';
import {
  type RecordedPart,
  type WorldFile,
  type WorldFlavor,
  type WorldHost,
  type WorldServer,
  withIds,
} from '#libs/world-file';

/** The compute part of a recorded world as the listings from which the decision engine builds its model. */
export function listingsOf(file: WorldFile): ComputeModelInput {
  const world = withIds(file);
  const flavors = new Map(world.flavors.map((flavor) => [flavor.name, flavor]));
  const groups = (world.server_groups ?? []).map(({ name, uuid = name, policy, max_server_per_host: most = 1 }) => ({
    ...{ name, uuid, policy, maxServerPerHost: most },
    members: world.servers.filter(({ group }) => group === name).map(uuidOf),
  }));
  const bound = new Set((world.pools ?? []).filter((pool) => pool.host_bound).map(({ name }) => name));
  const volumes = world.volumes ?? [];
  return {
    hypervisors: world.hosts.map(hypervisorOf),
    services: world.hosts.map((host, row) => ({
      ...{ id: String(row), host: host.hostname, binary: 'nova-compute', zone: host.zone ?? 'nova' },
      ...{ status: host.status ?? 'enabled', state: host.state ?? 'up', forcedDown: host.forced_down ?? false },
      disabledReason: host.disabled_reason ?? null,
    })),
    servers: world.servers.map((server) => serverOf(server, flavors.get(server.flavor)!)),
    aggregates: (world.aggregates ?? []).map(({ name, hosts, metadata = {} }, row) => ({
      ...{ id: row + 1, uuid: name, name, hosts, metadata },
      availabilityZone: metadata.availability_zone ?? null,
    })),
    serverGroups: groups,
    inventories: new Map(world.hosts.map((host) => [hostUuid(host), inventoriesOf(host)])),
    // Instances have no allocations: they take the sizes of their flavors.
    allocations: new Map(world.hosts.map((host) => [hostUuid(host), foreignConsumer(host)])),
    traits: new Map(world.hosts.map((host) => [hostUuid(host), host.traits ?? []])),
    hostBoundVolumes: new Set(volumes.filter(({ pool }) => bound.has(pool ?? '')).map(({ name }) => name)),
    cellOf: (hostname) => world.hosts.find((host) => host.hostname === hostname)?.cell ?? null,
    shares: sharesOf(world),
    ...(isUnread(world, 'network ports') ? { portsUnknown: 'the recording has none' } : {}),
    ports: world.servers.flatMap((server) =>
      (server.ports ?? []).map(({ vnic_type: vnicType = 'normal', minimum_kbps: kbps }) => ({
        ...{ serverUuid: uuidOf(server), vnicType, hasResourceRequest: kbps !== undefined },
      })),
    ),
    takenAtMs: 0,
  };
}

function isUnread({ recording }: WorldFile, part: RecordedPart): boolean {
  return recording?.unread?.includes(part) ?? false;
}

/** Whether each server has shares, by uuid. Null for a server with unknown shares. */
function sharesOf(world: WorldFile): ComputeModelInput['shares'] {
  if (isUnread(world, 'shares')) return new Map(world.servers.map((server) => [uuidOf(server), null]));
  if (world.servers.every(({ shares }) => shares === undefined)) return null;
  return new Map(world.servers.map((server) => [uuidOf(server), (server.shares ?? []).length > 0]));
}

function foreignConsumer({ foreign_allocations: foreign }: WorldHost): ReadonlyMap<string, Record<string, number>> {
  return new Map(foreign === undefined ? [] : [['foreign', { ...foreign }]]);
}

/** Uuid of a host. Worlds that were written manually may have none: see `withIds`. */
export function hostUuid({ uuid, hostname }: WorldHost): string {
  return uuid ?? hostname;
}

/** Uuid of an instance, like `hostUuid`. */
export function uuidOf({ uuid, name }: WorldServer): string {
  return uuid ?? name;
}

/** A flavor of a world as Nova lists it. */
export function flavorDetails({ id, name, vcpus, ...flavor }: WorldFlavor): FlavorDetails {
  return {
    ...{ id: id ?? name, name, vcpus, ramMb: flavor.ram_mb, diskGb: flavor.disk_gb },
    ...{ ephemeralGb: flavor.ephemeral_gb ?? 0, swapMb: flavor.swap_mb ?? 0, extraSpecs: flavor.extra_specs ?? {} },
  };
}

function hypervisorOf(host: WorldHost): Hypervisor {
  return {
    ...{ uuid: hostUuid(host), hypervisorHostname: host.hostname, serviceHost: host.hostname, serviceId: '' },
    ...{ status: host.status ?? 'enabled', state: host.state ?? 'up', disabledReason: host.disabled_reason ?? null },
    ...{ hypervisorType: 'QEMU', hypervisorVersion: host.hypervisor_version ?? 7_002_000 },
    cpu: { architecture: host.cpu_arch ?? 'x86_64', model: host.cpu_model ?? 'Cascadelake-Server' },
    ...{ vcpus: host.vcpus, memoryMb: host.memory_mb, localDiskGb: host.disk_gb },
  };
}

function inventoriesOf(host: WorldHost): Record<string, Inventory> {
  const { units = {} } = host;
  const inventory = (name: keyof typeof units, total: number, reserved = 0, allocationRatio = 1): Inventory => ({
    ...{ total, reserved, allocationRatio },
    minUnit: units[name]?.min_unit ?? 1,
    maxUnit: units[name]?.max_unit ?? total,
    stepSize: units[name]?.step_size ?? 1,
  });
  return {
    VCPU: inventory('VCPU', host.vcpus, host.reserved_vcpus, host.cpu_allocation_ratio),
    MEMORY_MB: inventory('MEMORY_MB', host.memory_mb, host.reserved_memory_mb ?? 512, host.ram_allocation_ratio),
    DISK_GB: inventory('DISK_GB', host.disk_gb, host.reserved_disk_gb, host.disk_allocation_ratio),
    ...(host.pcpus ? { PCPU: inventory('PCPU', host.pcpus) } : {}),
    ...(host.vgpus
      ? { VGPU: { total: host.vgpus, reserved: 0, allocationRatio: 1, minUnit: 1, maxUnit: host.vgpus, stepSize: 1 } }
      : {}),
  };
}

const powerStates = { active: 1, paused: 3, stopped: 4, suspended: 4, error: 0 } as const;

function serverOf(server: WorldServer, flavor: WorldFlavor): Server {
  const state = server.state ?? 'active';
  const hints = Object.entries(server.scheduler_hints ?? {});
  return {
    ...{ uuid: uuidOf(server), name: server.name, status: state.toUpperCase(), vmState: state, taskState: null },
    ...{ powerState: server.power_state ?? powerStates[state], host: server.host, hypervisorHostname: server.host },
    ...{ availabilityZone: null, pinnedAvailabilityZone: server.pinned_zone ?? null },
    schedulerHints: Object.fromEntries(hints.map(([name, value]) => [name, [value].flat()])),
    ...{ projectId: server.project ?? 'demo', locked: server.locked ?? false, metadata: server.metadata ?? {} },
    ...{ bootedFromVolume: server.boot_from_volume ?? false, imageProperties: server.image_properties ?? {} },
    flavor: { ...flavorDetails(flavor), id: null },
    ...{ attachedVolumeIds: server.volumes ?? [], serverGroupIds: [], fault: null },
    created: server.created ?? '2026-01-01T00:00:00Z',
  };
}
