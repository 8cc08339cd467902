import { hasGuest } from '#libs/domain';
import type { Aggregate, ComputeService, Hypervisor, Inventory, Server, ServerGroup } from '#libs/openstack';
import { readCapabilities } from './capabilities.ts';
import { allocateHostColumns, allocateInstanceColumns } from './columns.ts';
import type {
  AggregateInfo,
  ComputeSnapshot,
  GroupInfo,
  HostColumns,
  HostInfo,
  HypervisorInfo,
  InstanceColumns,
  InstanceInfo,
} from './compute-snapshot.ts';
import { hostFlag, instanceFlag, instanceStates } from './compute-snapshot.ts';
import { createInstanceDescriber } from './describe-instance.ts';
import { cpuNeed } from './instance-demands.ts';
import type { NovaFilter } from './nova-filters.ts';
import { type PortFacts, portNeeds } from './port-needs.ts';
import { readSharedDisks, takeUnallocated } from './shared-disks.ts';
import { readUnits } from './unit-rules.ts';

/** Responses of a cloud. Maps are keyed by the uuid of the resource provider, which is that of the hypervisor. */
export interface ComputeModelInput {
  hypervisors: Hypervisor[];
  /** Services of nova-compute. Others are ignored. */
  services: ComputeService[];
  servers: Server[];
  aggregates: Aggregate[];
  serverGroups: ServerGroup[];
  /** By resource class. Null or absent when it could not be read. */
  inventories: ReadonlyMap<string, Record<string, Inventory> | null>;
  /** By consumer and resource class. Null or absent when they could not be read. */
  allocations: ReadonlyMap<string, ReadonlyMap<string, Record<string, number>> | null>;
  traits: ReadonlyMap<string, string[]>;
  /**
   * Uuid of the provider that shares its disks with a hypervisor without local disks. Its inventories and
   * allocations are listed like those of others. Default: no provider shares.
   */
  sharedDisks?: ReadonlyMap<string, string>;
  /** Uuids of volumes that only one host reaches. Default none. */
  hostBoundVolumes?: ReadonlySet<string>;
  /** Cell of a service host. Null when unknown. Default: always null. */
  cellOf?: (serviceHost: string) => string | null;
  /** Whether the server groups could not be listed. Default false. */
  groupsUnknown?: boolean;
  /** Whether guests have the same CPU model on hosts with different CPUs. Default false. */
  mixedCpuModels?: boolean;
  /** Whether each server has a share of Manila, null when not known. Null or absent: the cloud has none. */
  shares?: ReadonlyMap<string, boolean | null> | null;
  /** Network ports of the servers. Default: none restricts a move. */
  ports?: readonly PortFacts[];
  /** Why the network ports are not known. Absent when they are. */
  portsUnknown?: string;
  /** Filters of Nova's scheduler that are enabled. Default: all. */
  novaFilters?: readonly NovaFilter[];
  /** Milliseconds since 1970. */
  takenAtMs: number;
  /** Texts about data that could not be read. Each makes the snapshot incomplete. */
  gaps?: string[];
}

interface Totals {
  vcpus: number;
  memory: number;
  disk: number;
}

const memoryClass = 'MEMORY_MB';
const stateNumber = new Map<string, number>(instanceStates.map((state, index) => [state, index]));
const unknownState = instanceStates.indexOf('error');

function named(what: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return [`${what}: ${names.slice(0, 5).join(', ')}${rest}`];
}

/** GiB of the host's disk: root disk unless it is a volume, ephemeral disk, and swap rounded up. */
function localDisk(server: Server): number {
  const { flavor } = server;
  return (server.bootedFromVolume ? 0 : flavor.diskGb) + flavor.ephemeralGb + Math.ceil(flavor.swapMb / 1024);
}

function allocated(consumers: ReadonlyMap<string, Record<string, number>>): Totals {
  const sum = { vcpus: 0, memory: 0, disk: 0 };
  for (const resources of consumers.values()) {
    sum.vcpus += resources.VCPU ?? 0;
    sum.memory += resources[memoryClass] ?? 0;
    sum.disk += resources.DISK_GB ?? 0;
  }
  return sum;
}

function writeCapacities(columns: HostColumns, row: number, hypervisor: Hypervisor, inventory: Inventories): void {
  const vcpu = inventory?.VCPU;
  columns.vcpus[row] = vcpu?.total ?? (inventory === null ? (hypervisor.vcpus ?? 0) : 0);
  columns.vcpusReserved[row] = vcpu?.reserved ?? 0;
  columns.vcpusRatio[row] = vcpu?.allocationRatio ?? 1;
  const memory = inventory?.[memoryClass];
  columns.memory[row] = memory?.total ?? (inventory === null ? (hypervisor.memoryMb ?? 0) : 0);
  columns.memoryReserved[row] = memory?.reserved ?? 0;
  columns.memoryRatio[row] = memory?.allocationRatio ?? 1;
  const disk = inventory?.DISK_GB;
  columns.disk[row] = disk?.total ?? (inventory === null ? (hypervisor.localDiskGb ?? 0) : 0);
  columns.diskReserved[row] = disk?.reserved ?? 0;
  columns.diskRatio[row] = disk?.allocationRatio ?? 1;
}

/** Dedicated CPUs of a host and how many of them consumers hold. Undefined when it has none. */
function dedicatedCpusOf(input: ComputeModelInput, uuid: string): HostInfo['dedicatedCpus'] {
  const inventory = input.inventories.get(uuid)?.PCPU;
  if (inventory === undefined) return undefined;
  const { total, reserved, allocationRatio } = inventory;
  let used = 0;
  for (const resources of input.allocations.get(uuid)?.values() ?? []) used += resources.PCPU ?? 0;
  return { total, capacity: (total - reserved) * allocationRatio, used };
}

type Inventories = Record<string, Inventory> | null;

function hostFlags(hypervisor: Hypervisor, service: ComputeService | undefined): number {
  const state = service?.state ?? hypervisor.state;
  const status = service?.status ?? hypervisor.status;
  const up = state === 'up' && hypervisor.state === 'up' ? hostFlag.up : 0;
  return up | (status === 'enabled' ? hostFlag.enabled : 0) | (service?.forcedDown ? hostFlag.forcedDown : 0);
}

function instanceFlags(server: Server, bound: ReadonlySet<string>): number {
  const isBound = server.attachedVolumeIds.some((uuid) => bound.has(uuid));
  return (
    (isBound ? instanceFlag.volumeBound : 0) |
    (server.locked ? instanceFlag.locked : 0) |
    (server.taskState === null ? 0 : instanceFlag.busy) |
    (hasGuest(server.powerState) ? 0 : instanceFlag.noGuest) |
    (server.bootedFromVolume ? instanceFlag.bootedFromVolume : 0)
  );
}

function rowsOfHosts(hypervisors: Hypervisor[]): (server: Server) => number {
  const byService = new Map<string, number>();
  const byBoth = new Map<string, number>();
  hypervisors.forEach((hypervisor, row) => {
    byBoth.set(`${hypervisor.serviceHost}\n${hypervisor.hypervisorHostname}`, row);
    if (!byService.has(hypervisor.serviceHost)) byService.set(hypervisor.serviceHost, row);
  });
  return (server) => {
    if (server.host === null) return -1;
    return byBoth.get(`${server.host}\n${server.hypervisorHostname}`) ?? byService.get(server.host) ?? -1;
  };
}

function rowsOfGroups(groups: ServerGroup[]): (server: Server) => number {
  const byMember = new Map<string, number>();
  const byUuid = new Map<string, number>();
  groups.forEach((group, row) => {
    byUuid.set(group.uuid, row);
    for (const member of group.members) byMember.set(member, row);
  });
  return (server) => {
    const named = server.serverGroupIds.find((uuid) => byUuid.has(uuid));
    return byMember.get(server.uuid) ?? (named === undefined ? -1 : (byUuid.get(named) as number));
  };
}

function aggregatesByHost(aggregates: Aggregate[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  aggregates.forEach((aggregate, row) => {
    for (const host of aggregate.hosts) {
      const rows = found.get(host);
      if (rows === undefined) found.set(host, [row]);
      else rows.push(row);
    }
  });
  return found;
}

function writeInstances(
  input: ComputeModelInput,
  servers: Server[],
  hypervisors: Hypervisor[],
  hostInfo: HostInfo[],
): InstanceColumns {
  const columns = allocateInstanceColumns(servers.length);
  const hostRow = rowsOfHosts(hypervisors);
  const groupRow = rowsOfGroups(input.serverGroups);
  const bound = input.hostBoundVolumes ?? new Set();
  servers.forEach((server, row) => {
    columns.vcpus[row] = server.flavor.vcpus;
    columns.memory[row] = server.flavor.ramMb;
    columns.state[row] = stateNumber.get(server.vmState) ?? unknownState;
    columns.flags[row] = instanceFlags(server, bound);
    columns.host[row] = hostRow(server);
    const isShared = hostInfo[columns.host[row] as number]?.sharedDisk !== undefined;
    columns.disk[row] = isShared ? 0 : localDisk(server);
    columns.group[row] = groupRow(server);
  });
  return columns;
}

/** Whether an instance needs room on its host that is not in the host's allocations. */
function isUnallocated(input: ComputeModelInput, hypervisor: Hypervisor, uuid: string, flags: number): boolean {
  const consumers = input.allocations.get(hypervisor.uuid) ?? null;
  // A moving instance holds its resources under another consumer.
  return consumers === null || (!consumers.has(uuid) && (flags & instanceFlag.busy) === 0);
}

/**
 * Used room: Placement's allocations, which include builds and migrations in flight, plus the flavors of residents
 * without an allocation, which failed migrations lose. So the room that a leaving instance releases was always
 * counted.
 */
function writeUse(
  input: ComputeModelInput,
  hypervisors: Hypervisor[],
  {
    hosts,
    hostInfo,
    instances,
    instanceInfo,
  }: Pick<ComputeSnapshot, 'hosts' | 'hostInfo' | 'instances' | 'instanceInfo'>,
) {
  hypervisors.forEach(({ uuid }, row) => {
    const sum = allocated(input.allocations.get(uuid) ?? new Map());
    hosts.vcpusUsed[row] = sum.vcpus;
    hosts.memoryUsed[row] = sum.memory;
    hosts.diskUsed[row] = sum.disk;
  });
  instanceInfo.forEach((info, row) => {
    const host = instances.host[row] as number;
    const hypervisor = hypervisors[host];
    if (hypervisor === undefined || !isUnallocated(input, hypervisor, info.uuid, instances.flags[row] as number))
      return;
    const { shared, dedicated } = cpuNeed(info, instances.vcpus[row] as number);
    hosts.vcpusUsed[host] = (hosts.vcpusUsed[host] as number) + shared;
    hosts.memoryUsed[host] = (hosts.memoryUsed[host] as number) + (instances.memory[row] as number);
    hosts.diskUsed[host] = (hosts.diskUsed[host] as number) + (instances.disk[row] as number);
    const dedicatedCpus = hostInfo[host]?.dedicatedCpus;
    if (dedicatedCpus !== undefined) dedicatedCpus.used += dedicated;
  });
}

function hypervisorOf({ hypervisorType, hypervisorVersion, cpu }: Hypervisor, mixedCpus: boolean): HypervisorInfo {
  return {
    ...(hypervisorType === '' ? {} : { type: hypervisorType }),
    ...(hypervisorVersion === undefined ? {} : { version: hypervisorVersion }),
    ...(cpu?.architecture === undefined ? {} : { architecture: cpu.architecture }),
    ...(cpu?.model === undefined || mixedCpus ? {} : { cpuModel: cpu.model }),
  };
}

function unitsOf({ inventories }: ComputeModelInput, { uuid }: Hypervisor): Pick<HostInfo, 'units'> {
  const units = readUnits(inventories.get(uuid) ?? null);
  return units === undefined ? {} : { units };
}

function describeHosts(
  input: ComputeModelInput,
  hypervisors: Hypervisor[],
  sharedDiskOf: ReadonlyMap<string, number>,
): HostInfo[] {
  const aggregates = aggregatesByHost(input.aggregates);
  const reasons = new Map(input.services.map((service) => [service.host, service.disabledReason]));
  return hypervisors.map((hypervisor) => {
    const dedicatedCpus = dedicatedCpusOf(input, hypervisor.uuid);
    const cell = input.cellOf?.(hypervisor.serviceHost) ?? null;
    const sharedDisk = sharedDiskOf.get(hypervisor.uuid);
    const made = hypervisorOf(hypervisor, input.mixedCpuModels ?? false);
    return {
      uuid: hypervisor.uuid,
      hostname: hypervisor.serviceHost,
      disabledReason: reasons.get(hypervisor.serviceHost) ?? hypervisor.disabledReason,
      aggregates: aggregates.get(hypervisor.serviceHost) ?? [],
      traits: input.traits.get(hypervisor.uuid) ?? [],
      ...(dedicatedCpus === undefined ? {} : { dedicatedCpus }),
      ...unitsOf(input, hypervisor),
      ...(cell === null ? {} : { cell }),
      ...(Object.keys(made).length === 0 ? {} : { hypervisor: made }),
      ...(sharedDisk === undefined ? {} : { sharedDisk }),
    };
  });
}

/** Adds to each host the capabilities that some flavor demands. */
function addCapabilities(hostInfo: HostInfo[], hypervisors: Hypervisor[], instanceInfo: readonly InstanceInfo[]): void {
  const paths = new Set(instanceInfo.flatMap(({ capabilities = {} }) => Object.keys(capabilities)));
  if (paths.size === 0) return;
  for (const [row, host] of hostInfo.entries())
    host.capabilities = readCapabilities(hypervisors[row] as Hypervisor, paths);
}

function describeGroups(groups: ServerGroup[]): GroupInfo[] {
  return groups.map(({ uuid, policy, maxServerPerHost }) => ({ uuid, policy, maxServerPerHost }));
}

function describeAggregates(aggregates: Aggregate[]): AggregateInfo[] {
  return aggregates.map(({ id, name, availabilityZone, metadata }) => ({ id, name, zone: availabilityZone, metadata }));
}

/** Texts about hosts whose data Placement did not return. */
function placementGaps(input: ComputeModelInput, hypervisors: Hypervisor[]): string[] {
  const without = (map: ReadonlyMap<string, unknown>) =>
    hypervisors
      .filter((hypervisor) => (map.get(hypervisor.uuid) ?? null) === null)
      .map((hypervisor) => hypervisor.serviceHost);
  return [
    ...named('no inventories from Placement, hypervisor totals with ratio 1 are used', without(input.inventories)),
    ...named('no allocations from Placement, sums of flavors are used', without(input.allocations)),
  ];
}

/**
 * Builds the columnar model of a cloud from its responses. Pure. Hosts are ordered by host name and instances by uuid,
 * so that the same cloud gives the same rows. Ironic nodes and deleted servers are left out. A server on an unknown
 * host is kept with host −1.
 */
export function buildComputeSnapshot(input: ComputeModelInput): ComputeSnapshot {
  const hypervisors = input.hypervisors
    .filter((hypervisor) => hypervisor.hypervisorType.toLowerCase() !== 'ironic')
    .sort((a, b) => compareText(a.serviceHost, b.serviceHost) || compareText(a.uuid, b.uuid));
  const servers = input.servers
    .filter((server) => server.vmState !== 'deleted')
    .sort((a, b) => compareText(a.uuid, b.uuid));
  const services = new Map(
    input.services.filter(({ binary }) => binary === 'nova-compute').map((service) => [service.host, service]),
  );
  const hosts = allocateHostColumns(hypervisors.length);
  const zones = [...new Set([...services.values()].map((service) => service.zone))].sort(compareText);
  if (hypervisors.some((hypervisor) => !services.has(hypervisor.serviceHost))) zones.push('');
  const zoneRows = new Map(zones.map((zone, row) => [zone, row]));

  hypervisors.forEach((hypervisor, row) => {
    const service = services.get(hypervisor.serviceHost);
    writeCapacities(hosts, row, hypervisor, input.inventories.get(hypervisor.uuid) ?? null);
    hosts.flags[row] = hostFlags(hypervisor, service);
    hosts.zone[row] = zoneRows.get(service?.zone ?? '') ?? 0;
  });
  const shared = readSharedDisks(input, hypervisors);
  const hostInfo = describeHosts(input, hypervisors, shared.rowOf);
  const instances = writeInstances(input, servers, hypervisors, hostInfo);
  const aggregateKeys = new Set(input.aggregates.flatMap(({ metadata }) => Object.keys(metadata)));
  const describe = createInstanceDescriber({
    aggregateKeys,
    filters: input.novaFilters,
    shares: input.shares,
    portNeeds: portNeeds(input.ports ?? []),
  });
  const instanceInfo = servers.map((server, row) => {
    const info = describe(server);
    const isShared = hostInfo[instances.host[row] as number]?.sharedDisk !== undefined;
    return isShared ? { ...info, sharedDiskGb: localDisk(server) } : info;
  });
  addCapabilities(hostInfo, hypervisors, instanceInfo);
  writeUse(input, hypervisors, { hosts, hostInfo, instances, instanceInfo });
  takeUnallocated(shared.disks, input, { hostInfo, instances, instanceInfo });

  const gaps = [...(input.gaps ?? []), ...placementGaps(input, hypervisors)];
  return {
    hosts,
    hostInfo,
    instances,
    instanceInfo,
    groups: describeGroups(input.serverGroups),
    aggregates: describeAggregates(input.aggregates),
    zones,
    ...(shared.disks.length === 0 ? {} : { sharedDisks: shared.disks }),
    ...(input.groupsUnknown ? { groupsUnknown: true } : {}),
    ...(input.shares ? { sharesRead: true } : {}),
    // Nova reports hints from the release on that moves virtual GPUs live.
    ...(servers.some(({ schedulerHints }) => schedulerHints !== undefined) ? { movesDevices: true } : {}),
    ...(input.portsUnknown === undefined ? {} : { portsUnknown: input.portsUnknown }),
    takenAtMs: input.takenAtMs,
    complete: gaps.length === 0,
    gaps,
  };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
