import {
  derivedUuid,
  type WorldFile,
  type WorldFlavor,
  type WorldHost,
  type WorldServer,
  type WorldUnits,
} from '#libs/world-file';
import { type AllocationLedger, createAllocationLedger } from './cloud/allocation-ledger.ts';
import {
  type CloudState,
  resourcesOf,
  type SimulatedFlavor,
  type SimulatedHost,
  type SimulatedServer,
} from './cloud/entities.ts';
import { derivedHex } from './identifiers.ts';
import { completeProfile } from './load/load-model.ts';
import type { RecordedPlay } from './recording/recorded-play.ts';
import { hashText } from './seeded.ts';

const firstCreation = Date.parse('2026-01-01T00:00:00Z');
const powerStates = { active: 1, paused: 3, stopped: 4, suspended: 4, error: 0 } as const;
const commonTraits = ['COMPUTE_NODE', 'COMPUTE_VOLUME_EXTEND', 'COMPUTE_TRUSTED_CERTS', 'HW_CPU_X86_SSE42'];

/** Creates the initial state of a valid world, with the allocations of its servers. `play`: its recorded load. */
export function buildCloudState(
  world: WorldFile,
  play?: RecordedPlay,
): { state: CloudState; ledger: AllocationLedger } {
  const state: CloudState = {
    worldName: world.name,
    region: world.region ?? 'RegionOne',
    storage: world.storage ?? 'local',
    projects: new Map(),
    hosts: new Map(),
    hostsByUuid: new Map(),
    flavors: new Map(),
    servers: new Map(),
    serverOrder: [],
    aggregates: new Map(),
    groups: new Map(),
    migrations: [],
    volumes: new Map(),
    pools: [],
    volumeTypes: [],
    nodes: new Map(),
  };
  for (const name of ['admin', 'service', 'demo']) projectId(state, name);
  for (const [index, host] of world.hosts.entries())
    addHost(state, world.name, host, index).recorded = play?.host(index);
  for (const [index, flavor] of world.flavors.entries()) addFlavor(state, flavor, index);
  addAggregates(state, world);
  for (const group of world.server_groups ?? []) {
    state.groups.set(group.name, {
      uuid: group.uuid ?? derivedUuid(`${world.name}/group/${group.name}`),
      name: group.name,
      policy: group.policy,
      projectId: projectId(state, group.project ?? 'demo'),
      maxServerPerHost: group.max_server_per_host ?? 1,
      members: new Set(),
    });
  }
  addStorage(state, world);
  addNodes(state, world);
  const ledger = createAllocationLedger(state.hosts.values());
  addForeignAllocations(state, world, ledger);
  addServers(state, world, ledger);
  if (play !== undefined) addRecorded(state, play);
  state.serverOrder = [...state.servers.values()].sort((a, b) => b.createdAt - a.createdAt || b.number - a.number);
  return { state, ledger };
}

function addForeignAllocations(state: CloudState, world: WorldFile, ledger: AllocationLedger): void {
  for (const { hostname, foreign_allocations: foreign } of world.hosts) {
    const host = state.hosts.get(hostname);
    if (foreign === undefined || host === undefined) continue;
    const resources = { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0, VGPU: 0, ...foreign };
    ledger.claim(derivedUuid(`${world.name}/foreign/${hostname}`), host, resources);
  }
}

function addServers(state: CloudState, world: WorldFile, ledger: AllocationLedger): void {
  const flavorsByName = new Map([...state.flavors.values()].map((flavor) => [flavor.name, flavor]));
  const volumesByName = new Map([...state.volumes.values()].map((volume) => [volume.name, volume.uuid]));
  for (const [index, server] of world.servers.entries()) {
    const flavor = flavorsByName.get(server.flavor) as SimulatedFlavor;
    const made = addServer(state, world, server, flavor, index);
    made.volumeUuids = (server.volumes ?? []).map((name) => volumesByName.get(name) ?? name);
    for (const uuid of made.volumeUuids) {
      const volume = state.volumes.get(uuid);
      if (volume !== undefined) volume.attachedTo = made;
    }
    ledger.claim(made.uuid, made.host, resourcesOf(flavor, made));
  }
}

/** Servers are numbered from 1 in the order of the world. */
function addRecorded(state: CloudState, play: RecordedPlay): void {
  for (const server of state.servers.values()) server.recorded = play.server(server.number - 1);
}

function projectId(state: CloudState, name: string): string {
  // Recordings contain project ids.
  const id = /^[0-9a-f]{32}$/.test(name) ? name : derivedHex(`project/${name}`);
  if (!state.projects.has(id)) state.projects.set(id, { id, name });
  return id;
}

function inventoryOf(host: WorldHost): SimulatedHost['inventory'] {
  const { units = {} } = host;
  const inventory = (total: number, { reserved = 0, ratio = 1 }, own: WorldUnits = {}) => ({
    ...{ total, reserved, allocationRatio: ratio },
    ...{ minUnit: own.min_unit ?? 1, maxUnit: own.max_unit ?? total, stepSize: own.step_size ?? 1 },
  });
  const cpus = { reserved: host.reserved_vcpus, ratio: host.cpu_allocation_ratio };
  const memory = { reserved: host.reserved_memory_mb ?? 512, ratio: host.ram_allocation_ratio };
  const disk = { reserved: host.reserved_disk_gb, ratio: host.disk_allocation_ratio };
  return {
    VCPU: inventory(host.vcpus, cpus, units.VCPU),
    PCPU: inventory(host.pcpus ?? 0, {}, units.PCPU),
    VGPU: inventory(host.vgpus ?? 0, {}),
    MEMORY_MB: inventory(host.memory_mb, memory, units.MEMORY_MB),
    DISK_GB: inventory(host.disk_gb, disk, units.DISK_GB),
  };
}

function addHost(state: CloudState, world: string, host: WorldHost, index: number): SimulatedHost {
  const made: SimulatedHost = {
    name: host.hostname,
    uuid: host.uuid ?? derivedUuid(`${world}/host/${host.hostname}`),
    hypervisorId: index + 1,
    serviceId: index + 3,
    serviceUuid: derivedUuid(`${world}/service/${host.hostname}`),
    inventory: inventoryOf(host),
    zone: host.zone ?? 'nova',
    cell: host.cell ?? '',
    traits: [...new Set([...commonTraits, ...(host.traits ?? [])])],
    status: host.status ?? 'enabled',
    disabledReason: host.disabled_reason ?? null,
    alive: host.state !== 'down',
    powered: true,
    forcedDown: host.forced_down ?? false,
    ip: host.host_ip ?? `10.${index >> 16}.${(index >> 8) & 255}.${(index & 255) + 1}`,
    hypervisorVersion: host.hypervisor_version ?? 7_002_000,
    cpu: {
      arch: host.cpu_arch ?? 'x86_64',
      model: host.cpu_model ?? 'Cascadelake-Server',
      ...(host.cpu_address_bits === undefined ? {} : { addressBits: host.cpu_address_bits }),
    },
    migrationBandwidthMib: host.migration_bandwidth_mib ?? 1000,
    servers: new Set(),
  };
  state.hosts.set(made.name, made);
  state.hostsByUuid.set(made.uuid, made);
  return made;
}

function addFlavor(state: CloudState, flavor: WorldFlavor, index: number): void {
  const id = flavor.id ?? derivedUuid(`flavor/${flavor.name}`);
  state.flavors.set(id, {
    id,
    number: index + 1,
    name: flavor.name,
    vcpus: flavor.vcpus,
    ramMb: flavor.ram_mb,
    diskGb: flavor.disk_gb,
    ephemeralGb: flavor.ephemeral_gb ?? 0,
    swapMb: flavor.swap_mb ?? 0,
    extraSpecs: flavor.extra_specs ?? {},
  });
}

/** In Nova a zone is an aggregate: a zone without an aggregate in the world gets one of the same name. */
function addAggregates(state: CloudState, world: WorldFile): void {
  const listed = (world.aggregates ?? []).map((aggregate) => ({ ...aggregate, metadata: aggregate.metadata ?? {} }));
  for (const aggregate of listed) {
    const zone = aggregate.metadata.availability_zone;
    if (zone === undefined) continue;
    for (const name of aggregate.hosts) (state.hosts.get(name) as SimulatedHost).zone = zone;
  }
  const known = new Set(listed.map((aggregate) => aggregate.metadata.availability_zone));
  for (const zone of new Set([...state.hosts.values()].map((host) => host.zone))) {
    if (zone === 'nova' || known.has(zone)) continue;
    const hosts = [...state.hosts.values()].filter((host) => host.zone === zone).map((host) => host.name);
    listed.push({ name: zone, hosts, metadata: { availability_zone: zone } });
  }
  for (const [index, aggregate] of listed.entries()) {
    state.aggregates.set(index + 1, {
      id: index + 1,
      uuid: derivedUuid(`${world.name}/aggregate/${aggregate.name}`),
      name: aggregate.name,
      hosts: new Set(aggregate.hosts),
      metadata: aggregate.metadata,
      createdAt: firstCreation,
    });
  }
}

function addStorage(state: CloudState, world: WorldFile): void {
  state.volumeTypes = (world.volume_types ?? []).map((type) => ({
    id: derivedUuid(`${world.name}/volume-type/${type.name}`),
    name: type.name,
    extraSpecs: type.extra_specs ?? {},
  }));
  const taken = new Map<string, number>();
  for (const volume of world.volumes ?? []) {
    const pool = volume.pool ?? world.pools?.[0]?.name ?? '';
    taken.set(pool, (taken.get(pool) ?? 0) + volume.size_gb);
    const uuid = volume.uuid ?? derivedUuid(`${world.name}/volume/${volume.name}`);
    state.volumes.set(uuid, {
      uuid,
      name: volume.name,
      sizeGb: volume.size_gb,
      type: volume.type ?? null,
      pool,
      projectId: projectId(state, volume.project ?? 'demo'),
      attachedTo: null,
      createdAt: firstCreation,
      updatedAt: firstCreation,
      multiattach: volume.multiattach ?? false,
      groupId: volume.group === undefined ? null : derivedUuid(`${world.name}/volume-group/${volume.group}`),
      replicated: volume.replicated ?? false,
      encrypted: volume.encrypted ?? false,
      busy: null,
      migrationStatus: null,
      nameId: null,
    });
  }
  state.pools = (world.pools ?? []).map((pool) => ({
    name: pool.name,
    totalGb: pool.total_gb,
    freeGb: pool.free_gb ?? Math.max(0, pool.total_gb - (taken.get(pool.name) ?? 0)),
    backendName: pool.backend_name ?? (pool.name.split('#')[1] as string),
    maxOverSubscriptionRatio: pool.max_over_subscription_ratio ?? 1,
    alive: pool.state !== 'down',
    status: pool.status ?? 'enabled',
    hostBound: pool.host_bound ?? false,
    report: { atMs: 0, freeGb: 0, provisionedGb: 0, allocatedGb: 0, volumes: 0 },
  }));
}

function addNodes(state: CloudState, world: WorldFile): void {
  for (const node of world.baremetal_nodes ?? []) {
    const uuid = node.uuid ?? derivedUuid(`${world.name}/node/${node.name}`);
    const host = node.host === undefined ? null : (state.hosts.get(node.host) ?? null);
    const powerState = node.power_state ?? 'power on';
    if (host !== null) host.powered = powerState === 'power on';
    state.nodes.set(uuid, {
      uuid,
      name: node.name,
      host,
      powerState,
      targetPowerState: null,
      maintenance: node.maintenance_reason !== undefined,
      maintenanceReason: node.maintenance_reason ?? null,
      lastError: null,
      powerChangedAt: null,
      createdAt: firstCreation,
      updatedAt: firstCreation,
    });
  }
}

/** Replaces names of servers in hints by their uuids. */
function hintsOf(world: WorldFile, { scheduler_hints: hints = {} }: WorldServer): SimulatedServer['schedulerHints'] {
  const uuidOfNamed = (given: string) => {
    const named = world.servers.find(({ name }) => name === given);
    return named === undefined ? given : uuidOf(world.name, named);
  };
  return Object.fromEntries(
    Object.entries(hints).map(([name, value]) => {
      const values = typeof value === 'string' ? [value] : value;
      return [name, /^(different|same)_host$/.test(name) ? values.map(uuidOfNamed) : values];
    }),
  );
}

function uuidOf(world: string, server: WorldServer): string {
  return server.uuid ?? derivedUuid(`${world}/server/${server.name}`);
}

/** By default a server has one port for software switches. */
function portsOf(world: string, { ports = [{}] }: WorldServer, server: string): SimulatedServer['ports'] {
  return ports.map(({ vnic_type: vnicType = 'normal', minimum_kbps: kbps }, index) => ({
    id: derivedUuid(`${world}/port/${server}/${index}`),
    vnicType,
    resourceRequest:
      kbps === undefined ? null : bandwidthRequest(derivedUuid(`${world}/port/${server}/${index}/egress`), kbps),
  }));
}

/** Neutron's form of a bandwidth request with several groups. */
function bandwidthRequest(group: string, kbps: number): object {
  const resources = { NET_BW_EGR_KILOBIT_PER_SEC: kbps };
  return { request_groups: [{ id: group, required: ['CUSTOM_PHYSNET_PUBLIC'], resources }], same_subtree: [group] };
}

function addServer(
  state: CloudState,
  world: WorldFile,
  server: WorldServer,
  flavor: SimulatedFlavor,
  index: number,
): SimulatedServer {
  const host = state.hosts.get(server.host) as SimulatedHost;
  const uuid = uuidOf(world.name, server);
  const createdAt = server.created === undefined ? firstCreation + index * 1000 : Date.parse(server.created);
  const project = server.project ?? 'demo';
  const vmState = server.state ?? 'active';
  const group = server.group === undefined ? null : (state.groups.get(server.group) ?? null);
  const made: SimulatedServer = {
    uuid,
    number: index + 1,
    name: server.name,
    flavor,
    host,
    projectId: projectId(state, project),
    userId: derivedHex(`user/${project}`),
    vmState,
    taskState: null,
    powerState: server.power_state ?? powerStates[vmState],
    locked: server.locked ?? false,
    lockedReason: null,
    metadata: server.metadata ?? {},
    pinnedZone: server.pinned_zone ?? null,
    ports: portsOf(world.name, server, uuid),
    shares: (server.shares ?? []).map((name) => derivedUuid(`${world.name}/share/${name}`)),
    schedulerHints: hintsOf(world, server),
    group,
    volumeUuids: [],
    bootFromVolume: server.boot_from_volume ?? false,
    imageProperties: server.image_properties ?? {},
    createdAt,
    updatedAt: createdAt,
    launchedAt: createdAt,
    load: completeProfile(server.load, uuid, project),
    loadKey: hashText(uuid),
    loadFactor: 1,
    pendingResize: null,
    actions: [],
  };
  state.servers.set(uuid, made);
  host.servers.add(made);
  group?.members.add(made);
  return made;
}
