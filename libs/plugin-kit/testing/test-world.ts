import { createHash } from 'node:crypto';
import type {
  AggregateInfo,
  ComputeSnapshot,
  GroupInfo,
  HostColumns,
  HostInfo,
  HypervisorInfo,
  InstanceColumns,
  InstanceInfo,
  InstanceStateName,
  PortNeed,
  RuleText,
  SchedulerHints,
} from '#libs/cluster-model';
import { capabilityDemands, cpuNeed, hostFlag, instanceFlag, instanceStates, withRules } from '#libs/cluster-model';
import { hasGuest } from '#libs/domain';

/** A compute node of a test world. Everything but the name has a default. */
export interface TestHost {
  hostname: string;
  /** Default `testUuid(hostname)`. */
  uuid?: string;
  /** Default 16. */
  vcpus?: number;
  vcpusReserved?: number;
  /** Default 1. */
  vcpusRatio?: number;
  /** MiB, default 65536. */
  memory?: number;
  memoryReserved?: number;
  /** Default 1. */
  memoryRatio?: number;
  /** GiB, default 1000. */
  disk?: number;
  diskReserved?: number;
  /** Default 1. */
  diskRatio?: number;
  /** Allocations. Default the sum over its instances. */
  used?: { vcpus?: number; memory?: number; disk?: number; dedicatedCpus?: number };
  /** Default `up`. */
  state?: 'up' | 'down';
  /** Default `enabled`. */
  status?: 'enabled' | 'disabled';
  disabledReason?: string;
  forcedDown?: boolean;
  /** Default `nova`. */
  zone?: string;
  /** Names of host aggregates. Those not described in `TestWorld.aggregates` are made without metadata. */
  aggregates?: string[];
  traits?: string[];
  /** CPUs for instances with dedicated ones, in addition to `vcpus`. Default none. */
  dedicatedCpus?: number;
  /** Cell of Nova. Default none is known. */
  cell?: string;
  /** Default: nothing is known. */
  hypervisor?: HypervisorInfo;
  /** Capabilities that flavors demand, by path. Null: it lacks one. Default: no API shows any. */
  capabilities?: Record<string, string | null>;
}

/** An instance of a test world. Everything but the name has a default. */
export interface TestInstance {
  name: string;
  /** Default `testUuid(name)`. */
  uuid?: string;
  /** Host name. Absent or null: it is on none. */
  host?: string | null;
  /** Default 1. */
  vcpus?: number;
  /** MiB, default 1024. */
  memory?: number;
  /** GiB, default 10; 0 when booted from a volume. */
  disk?: number;
  /** Default `active`. */
  state?: InstanceStateName;
  /** Nova's number: 1 running, 3 paused, 4 shut down. Default follows from the state. */
  powerState?: number;
  locked?: boolean;
  excluded?: boolean;
  busy?: boolean;
  bootedFromVolume?: boolean;
  /** Whether a volume of it lies where only its host reaches it. */
  volumeBound?: boolean;
  /** Name of a group of `TestWorld.groups`. */
  group?: string;
  pinnedZone?: string;
  /** Hints to Nova's scheduler. Other instances are named by uuid, see `testUuid`. Default none. */
  hints?: SchedulerHints;
  /** Whether a share of Manila is attached, or that is not known. Default: none is. */
  shares?: 'attached' | 'unknown';
  /** The need of its network ports that restricts moves most. Default none. */
  ports?: PortNeed;
  projectId?: string;
  metadata?: Record<string, string>;
  flavorExtraSpecs?: Record<string, string>;
  /** Name of its flavor. Default none is known. */
  flavorName?: string;
  /** Properties of its image that say where it may run. Default none. */
  imageProperties?: Record<string, string>;
  /** Image properties that state its system and licence. Default none. */
  imageSystem?: Record<string, string>;
  /** ISO 8601. Default 2026-01-01T00:00:00Z. */
  created?: string;
}

/** A server group of a test world. Instances name it. */
export interface TestGroup {
  name: string;
  policy: GroupInfo['policy'];
  /** Default 1. */
  maxServerPerHost?: number;
}

/** A small cloud in plain data, see `createTestWorld`. */
export interface TestWorld {
  hosts: TestHost[];
  instances?: TestInstance[];
  groups?: TestGroup[];
  aggregates?: { name: string; zone?: string | null; metadata?: Record<string, string> }[];
  /** Rules of the operator, all of them enforced. Default none. */
  rules?: Partial<RuleText>[];
  /** Default 2026-01-01T00:00:00Z in milliseconds. */
  takenAtMs?: number;
  /** Whether the server groups could not be read. Default false. */
  groupsUnknown?: boolean;
  /** Things that could not be read. The snapshot is incomplete when there are any. */
  gaps?: string[];
}

/** The uuid that a test world gives to a host, instance or group of this name. Always the same. */
export function testUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Builds the snapshot of a small cloud described in plain data. Rows are in the order of the lists. Throws an Error
 * that names the culprit when an instance names an unknown host or group, or a name is used twice.
 */
export function createTestWorld(world: TestWorld): ComputeSnapshot {
  const instances = world.instances ?? [];
  const zones = [...new Set(world.hosts.map((host) => host.zone ?? 'nova'))];
  const aggregates = listAggregates(world);
  const hostRows = indexByName(
    'host',
    world.hosts.map((host) => host.hostname),
  );
  const groupRows = indexByName(
    'group',
    (world.groups ?? []).map((group) => group.name),
  );
  indexByName(
    'instance',
    instances.map((instance) => instance.uuid ?? testUuid(instance.name)),
  );
  const instanceColumns = fillInstances(instances, hostRows, groupRows);
  const snapshot = {
    hosts: fillHosts(
      world.hosts,
      zones,
      instanceColumns,
      float64(instances.map((instance) => cpusOf(instance).shared)),
    ),
    hostInfo: world.hosts.map((host) => hostInfoOf(host, aggregates, instances)),
    instances: instanceColumns,
    instanceInfo: instances.map(instanceInfoOf),
    groups: (world.groups ?? []).map((group) => ({
      uuid: testUuid(group.name),
      policy: group.policy,
      maxServerPerHost: group.maxServerPerHost ?? 1,
    })),
    aggregates,
    zones,
    ...(world.groupsUnknown ? { groupsUnknown: true } : {}),
    takenAtMs: world.takenAtMs ?? Date.UTC(2026, 0, 1),
    complete: (world.gaps ?? []).length === 0,
    gaps: world.gaps ?? [],
  };
  return withRules(snapshot, (world.rules ?? []).map(ruleOf)).snapshot;
}

function ruleOf(rule: Partial<RuleText>): RuleText {
  return {
    name: 'rule',
    kind: 'leave_alone',
    instances: {},
    hosts: null,
    isStrict: true,
    maxPerHost: null,
    ...rule,
  };
}

function indexByName(kind: string, names: string[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [row, name] of names.entries()) {
    if (rows.has(name)) throw new Error(`test world: two ${kind}s are called ${name}`);
    rows.set(name, row);
  }
  return rows;
}

function rowOf(rows: Map<string, number>, kind: string, name: string | null | undefined): number {
  if (name === null || name === undefined) return -1;
  const row = rows.get(name);
  if (row === undefined) throw new Error(`test world: there is no ${kind} called ${name}`);
  return row;
}

function listAggregates(world: TestWorld): AggregateInfo[] {
  const described = world.aggregates ?? [];
  const mentioned = world.hosts.flatMap((host) => host.aggregates ?? []);
  const names = [...new Set([...described.map((aggregate) => aggregate.name), ...mentioned])];
  return names.map((name, index) => {
    const given = described.find((aggregate) => aggregate.name === name);
    return { id: index + 1, name, zone: given?.zone ?? null, metadata: given?.metadata ?? {} };
  });
}

function cpusOf(instance: TestInstance): { shared: number; dedicated: number } {
  return cpuNeed(instanceInfoOf(instance), instance.vcpus ?? 1);
}

function hostInfoOf(host: TestHost, aggregates: AggregateInfo[], instances: TestInstance[]): HostInfo {
  const total = host.dedicatedCpus;
  const used = instances
    .filter((instance) => instance.host === host.hostname)
    .reduce((sum, instance) => sum + cpusOf(instance).dedicated, 0);
  return {
    uuid: host.uuid ?? testUuid(host.hostname),
    hostname: host.hostname,
    disabledReason: host.disabledReason ?? null,
    aggregates: (host.aggregates ?? []).map((name) => aggregates.findIndex((aggregate) => aggregate.name === name)),
    traits: host.traits ?? [],
    ...(host.cell === undefined ? {} : { cell: host.cell }),
    ...(host.hypervisor === undefined ? {} : { hypervisor: host.hypervisor }),
    ...(host.capabilities === undefined ? {} : { capabilities: host.capabilities }),
    ...(total === undefined
      ? {}
      : { dedicatedCpus: { total, capacity: total, used: host.used?.dedicatedCpus ?? used } }),
  };
}

function instanceInfoOf(instance: TestInstance): InstanceInfo {
  const capabilities = capabilityDemands(instance.flavorExtraSpecs ?? {});
  return {
    uuid: instance.uuid ?? testUuid(instance.name),
    name: instance.name,
    projectId: instance.projectId ?? 'project',
    metadata: instance.metadata ?? {},
    flavorExtraSpecs: instance.flavorExtraSpecs ?? {},
    ...(instance.flavorName === undefined ? {} : { flavorName: instance.flavorName }),
    ...(instance.imageProperties === undefined ? {} : { imageProperties: instance.imageProperties }),
    ...(instance.imageSystem === undefined ? {} : { imageSystem: instance.imageSystem }),
    pinnedZone: instance.pinnedZone ?? '',
    ...(capabilities === null ? {} : { capabilities }),
    ...(instance.shares === undefined ? {} : { shares: instance.shares }),
    ...(instance.ports === undefined ? {} : { ports: instance.ports }),
    ...(instance.hints === undefined ? {} : { hints: instance.hints }),
    created: instance.created ?? '2026-01-01T00:00:00Z',
  };
}

function float64(values: number[]): Float64Array {
  const column = new Float64Array(new SharedArrayBuffer(values.length * 8));
  column.set(values);
  return column;
}

function uint8(values: number[]): Uint8Array {
  const column = new Uint8Array(new SharedArrayBuffer(values.length));
  column.set(values);
  return column;
}

function uint16(values: number[]): Uint16Array {
  const column = new Uint16Array(new SharedArrayBuffer(values.length * 2));
  column.set(values);
  return column;
}

function int32(values: number[]): Int32Array {
  const column = new Int32Array(new SharedArrayBuffer(values.length * 4));
  column.set(values);
  return column;
}

function fillInstances(
  list: TestInstance[],
  hostRows: Map<string, number>,
  groupRows: Map<string, number>,
): InstanceColumns {
  return {
    vcpus: float64(list.map((instance) => instance.vcpus ?? 1)),
    memory: float64(list.map((instance) => instance.memory ?? 1024)),
    disk: float64(list.map((instance) => instance.disk ?? (instance.bootedFromVolume ? 0 : 10))),
    state: uint8(list.map((instance) => instanceStates.indexOf(instance.state ?? 'active'))),
    flags: uint8(list.map(instanceFlagsOf)),
    host: int32(list.map((instance) => rowOf(hostRows, 'host', instance.host))),
    group: int32(list.map((instance) => rowOf(groupRows, 'group', instance.group))),
  };
}

function instanceFlagsOf(instance: TestInstance): number {
  return (
    (instance.locked ? instanceFlag.locked : 0) |
    (instance.excluded ? instanceFlag.excluded : 0) |
    (instance.busy ? instanceFlag.busy : 0) |
    (instance.bootedFromVolume ? instanceFlag.bootedFromVolume : 0) |
    (instance.volumeBound ? instanceFlag.volumeBound : 0) |
    (instance.powerState === undefined || hasGuest(instance.powerState) ? 0 : instanceFlag.noGuest)
  );
}

function fillHosts(
  list: TestHost[],
  zones: string[],
  instances: InstanceColumns,
  sharedCpus: Float64Array,
): HostColumns {
  const sumOn = (column: Float64Array, row: number) =>
    column.reduce((sum, value, instance) => (instances.host[instance] === row ? sum + value : sum), 0);
  return {
    vcpus: float64(list.map((host) => host.vcpus ?? 16)),
    vcpusReserved: float64(list.map((host) => host.vcpusReserved ?? 0)),
    vcpusRatio: float64(list.map((host) => host.vcpusRatio ?? 1)),
    memory: float64(list.map((host) => host.memory ?? 65_536)),
    memoryReserved: float64(list.map((host) => host.memoryReserved ?? 0)),
    memoryRatio: float64(list.map((host) => host.memoryRatio ?? 1)),
    disk: float64(list.map((host) => host.disk ?? 1000)),
    diskReserved: float64(list.map((host) => host.diskReserved ?? 0)),
    diskRatio: float64(list.map((host) => host.diskRatio ?? 1)),
    vcpusUsed: float64(list.map((host, row) => host.used?.vcpus ?? sumOn(sharedCpus, row))),
    memoryUsed: float64(list.map((host, row) => host.used?.memory ?? sumOn(instances.memory, row))),
    diskUsed: float64(list.map((host, row) => host.used?.disk ?? sumOn(instances.disk, row))),
    flags: uint8(list.map(hostFlagsOf)),
    zone: uint16(list.map((host) => zones.indexOf(host.zone ?? 'nova'))),
  };
}

function hostFlagsOf(host: TestHost): number {
  return (
    (host.state === 'down' ? 0 : hostFlag.up) |
    (host.status === 'disabled' ? 0 : hostFlag.enabled) |
    (host.forcedDown ? hostFlag.forcedDown : 0)
  );
}
