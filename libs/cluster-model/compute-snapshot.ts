import type { PlacementRuleKind } from '#libs/domain';

/** vm_state of an instance as a small number, for columns. */
export const instanceStates = [
  'active',
  'building',
  'paused',
  'suspended',
  'stopped',
  'rescued',
  'resized',
  'shelved',
  'shelved_offloaded',
  'soft-delete',
  'deleted',
  'error',
] as const;
export type InstanceStateName = (typeof instanceStates)[number];

/** Bits of `HostColumns.flags`. */
export const hostFlag = {
  up: 1,
  enabled: 2,
  forcedDown: 4,
  /** Too little of its load is known for a strategy based on loads. It accepts no instances. */
  unmeasured: 8,
} as const;

/** Bits of `InstanceColumns.flags`. */
export const instanceFlag = {
  /** Locked by its owner or an administrator. */
  locked: 1,
  /** Excluded by the audit scope: it counts for capacity and is not moved. */
  excluded: 2,
  /** A task runs on it (task_state is set), such as a migration or a build. */
  busy: 4,
  bootedFromVolume: 8,
  /** Moved recently: not moved again yet, so that instances do not move repeatedly. */
  coolingDown: 16,
  /** Has a volume that only its present host reaches. */
  volumeBound: 32,
  /** Its guest neither runs nor is paused, by Nova's power state. */
  noGuest: 64,
  /** Its migration failed recently: it is not tried again yet. */
  failedLately: 128,
} as const;

/**
 * Numbers of every compute node, a row each. All arrays have the same length and lie on SharedArrayBuffers, so a
 * snapshot is passed to a worker thread without a copy. Capacity of a resource = (total − reserved) × ratio.
 */
export interface HostColumns {
  vcpus: Float64Array;
  vcpusReserved: Float64Array;
  vcpusRatio: Float64Array;
  /** MiB. */
  memory: Float64Array;
  memoryReserved: Float64Array;
  memoryRatio: Float64Array;
  /** GiB. */
  disk: Float64Array;
  diskReserved: Float64Array;
  diskRatio: Float64Array;
  /** The allocation according to Placement or, without it, the sum of flavors. */
  vcpusUsed: Float64Array;
  memoryUsed: Float64Array;
  diskUsed: Float64Array;
  flags: Uint8Array;
  /** Row in `ComputeSnapshot.zones`. */
  zone: Uint16Array;
}

/** Numbers of every instance, a row each. */
export interface InstanceColumns {
  vcpus: Float64Array;
  /** MiB. */
  memory: Float64Array;
  /**
   * GiB that it takes of the host's own disk (0 for the root disk of one booted from a volume, and on shared storage).
   */
  disk: Float64Array;
  /** Index into `instanceStates`. */
  state: Uint8Array;
  flags: Uint8Array;
  /** Row of the host, −1 when it is on none. */
  host: Int32Array;
  /** Row in `ComputeSnapshot.groups`, −1 when in none. */
  group: Int32Array;
}

/** The hypervisor of a host as Nova reports it. It decides which guests of other hosts can run there. */
export interface HypervisorInfo {
  /** Such as `QEMU`. */
  type?: string;
  version?: number;
  /** Of its CPUs, such as `x86_64`. */
  architecture?: string;
  /** Also absent when hosts with different CPUs show their guests the same CPU. */
  cpuModel?: string;
}

/** The amounts of a resource that Placement gives to one instance: `min_unit`, `max_unit` and `step_size`. */
export interface ResourceUnits {
  least: number;
  most: number;
  step: number;
}

/** The attributes of a host in addition to its columns of numbers. */
export interface HostInfo {
  uuid: string;
  /** Host of the nova-compute service, as actions name it. */
  hostname: string;
  disabledReason: string | null;
  /** Rows in `ComputeSnapshot.aggregates`. */
  aggregates: number[];
  traits: string[];
  /** CPUs for instances with dedicated ones (Placement's PCPU). Absent without any. */
  dedicatedCpus?: { total: number; capacity: number; used: number };
  /**
   * Limits of Placement for the amount of one instance, by resource. Absent when they equal Nova's: from one unit to
   * the physical size, in steps of one.
   */
  units?: Partial<Record<'vcpus' | 'dedicatedCpus' | 'memory' | 'disk', ResourceUnits>>;
  /** Cell of Nova by configuration. Absent when no pattern names it. Hosts without a cell count as one cell. */
  cell?: string;
  /** Absent when nothing is known. */
  hypervisor?: HypervisorInfo;
  /**
   * Properties that flavors demand of hosts, by path. Null when the host lacks one. Properties that no API reports are
   * missing. Absent when no flavor demands any.
   */
  capabilities?: Record<string, string | null>;
  /** Row in `ComputeSnapshot.sharedDisks` of the storage with the host's disks. Absent when it has local disks. */
  sharedDisk?: number;
}

/**
 * The need of a server's network ports that restricts its moves most. `accelerator`: Nova refuses every move. `device`:
 * a function of a network device (SR-IOV, vDPA) on the host. `resources`: bandwidth or packets that Placement counts.
 */
export type PortNeed = 'accelerator' | 'device' | 'resources';

/** The attributes of an instance in addition to its columns of numbers. */
export interface InstanceInfo {
  uuid: string;
  name: string;
  projectId: string;
  metadata: Record<string, string>;
  flavorExtraSpecs: Record<string, string>;
  /** Name of its flavor at its creation or last resize. Absent when unknown. */
  flavorName?: string;
  /** Image properties that restrict its hosts. Absent when there are none or they are unknown. */
  imageProperties?: Record<string, string>;
  /** The image properties for its system and licence. Absent when there are none or they are not known. */
  imageSystem?: Record<string, string>;
  /** GiB of shared storage that it takes, which `InstanceColumns.disk` excludes. Absent when it takes none. */
  sharedDiskGb?: number;
  /** Zone it must stay in, empty when free. */
  pinnedZone: string;
  /** Its hints to Nova's scheduler that filters of this cloud read. Absent when there are none. */
  hints?: SchedulerHints;
  /** Whether a share of Manila is attached, or whether that is unknown. Absent without a share. */
  shares?: 'attached' | 'unknown';
  /** The need of its network ports that restricts moves most. Absent when none does. */
  ports?: PortNeed;
  /** Demands of its flavor on properties of the host, by path, as Nova's filter reads them. Absent without any. */
  capabilities?: Record<string, string>;
  /** Present if Placement checks its moves, because the model does not count all its needs. */
  queried?: true;
  /** Names of hosts that Nova recently refused to move it to. Absent without any. */
  refusedHosts?: string[];
  created: string;
}

/** Hints of an instance to the scheduler. Nova applies them to every move. */
export interface SchedulerHints {
  /** Uuids of instances that must not be on its host. */
  differentHost?: string[];
  /** Uuids of instances. One of them must be on its host. */
  sameHost?: string[];
  /** Names of hints that only Nova's scheduler can evaluate: `query`, `build_near_host_ip`. */
  unjudged?: string[];
}

/** A server group of Nova. `InstanceColumns.group` has its members. */
export interface GroupInfo {
  uuid: string;
  policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  maxServerPerHost: number;
}

/** A host aggregate of Nova. `HostInfo.aggregates` has its hosts. */
export interface AggregateInfo {
  id: number;
  name: string;
  zone: string | null;
  metadata: Record<string, string>;
}

/**
 * Storage that several hosts use for their disks: a provider of Placement with the trait MISC_SHARES_VIA_AGGREGATE.
 */
export interface SharedDisk {
  uuid: string;
  /** Unallocated GiB. Negative when the host is overcommitted. */
  free: number;
  /** GiB that one instance may take (Placement's `max_unit`). */
  largest: number;
}

/** A rule of the operator, with the rows of the snapshot that it covers. */
export interface ResolvedRule {
  name: string;
  kind: PlacementRuleKind;
  isStrict: boolean;
  /** Instances that one host may have, for `keep_apart`. */
  maxPerHost: number;
  /** Rows of instances, ascending. */
  instances: Int32Array;
  /** 1 for each host that it names. Null when it names none. */
  hosts: Uint8Array | null;
}

/**
 * A frozen model of the compute part of a cloud. Plain data: it can be posted to a worker thread. Work on it happens
 * through `WhatIf`, which copies only the columns that it changes.
 */
export interface ComputeSnapshot {
  hosts: HostColumns;
  hostInfo: HostInfo[];
  instances: InstanceColumns;
  instanceInfo: InstanceInfo[];
  groups: GroupInfo[];
  aggregates: AggregateInfo[];
  zones: string[];
  /** Absent when every host has local disks. */
  sharedDisks?: SharedDisk[];
  /** Rules of the operator, see `withRules`. Absent when none are enforced. */
  rules?: ResolvedRule[];
  /** True when the server groups could not be read: then the allowed hosts of all instances are unknown. */
  groupsUnknown?: boolean;
  /** True in clouds with shares of Manila. Whether a new instance has a share is unknown. */
  sharesRead?: boolean;
  /** True when Nova supports live migration of virtual GPUs: from 2025.1 on. */
  movesDevices?: boolean;
  /** Why the network ports of instances are not known. Absent when they are, or were not requested. */
  portsUnknown?: string;
  /** Time of the model, milliseconds since 1970. */
  takenAtMs: number;
  /** False when some part of the cloud could not be read. `gaps` names the parts. */
  complete: boolean;
  gaps: string[];
  /** Hosts outside the scope of an audit to which Nova could still send an instance. Absent without any. */
  hostsOutOfScope?: number;
}

/** States in which an instance runs, and so has a load. */
const runningStates: ReadonlySet<string> = new Set<InstanceStateName>(['active', 'paused', 'rescued', 'resized']);

/** Whether the instance of a row runs, and so has a load. */
export function isRunning({ instances }: Pick<ComputeSnapshot, 'instances'>, row: number): boolean {
  return runningStates.has(instanceStates[instances.state[row] as number] ?? '');
}
