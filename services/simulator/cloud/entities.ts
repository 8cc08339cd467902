import type { LoadProfile } from '#libs/world-file';
import type { PlayedHost, PlayedServer } from '../recording/recorded-play.ts';

/** Amounts by Placement resource class. */
export interface Resources {
  VCPU: number;
  /** Dedicated CPUs. */
  PCPU: number;
  MEMORY_MB: number;
  /** Virtual GPUs, for which Placement has a provider below the host. */
  VGPU: number;
  DISK_GB: number;
}

export interface Inventory {
  total: number;
  reserved: number;
  allocationRatio: number;
  /** Limits for the amount of one consumer. */
  minUnit: number;
  maxUnit: number;
  stepSize: number;
}

/** A compute node with its nova-compute service and its Placement provider. */
export interface SimulatedHost {
  /** Service host, hypervisor hostname and provider name. */
  name: string;
  /** Hypervisor and provider uuid. */
  uuid: string;
  hypervisorId: number;
  serviceId: number;
  serviceUuid: string;
  inventory: Record<keyof Resources, Inventory>;
  zone: string;
  /** Cell of Nova. Empty in a world with a single cell. */
  cell: string;
  traits: string[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  /** Whether the service reports. False by the world file or a fault. */
  alive: boolean;
  /** Whether its machine is on. False after Ironic powered it off. */
  powered: boolean;
  forcedDown: boolean;
  /** IPv4 address. */
  ip: string;
  hypervisorVersion: number;
  /** `addressBits`: width of physical addresses, when reported. */
  cpu: { arch: string; model: string; addressBits?: number };
  /** Shared MiB/s of all migrations from and to the host. */
  migrationBandwidthMib: number;
  servers: Set<SimulatedServer>;
  /** Its load in addition to that of its servers, from a recording. */
  recorded?: PlayedHost;
}

export interface SimulatedFlavor {
  id: string;
  /** Integer id in migration records. */
  number: number;
  name: string;
  vcpus: number;
  ramMb: number;
  diskGb: number;
  ephemeralGb: number;
  swapMb: number;
  extraSpecs: Record<string, string>;
}

export interface SimulatedServer {
  uuid: string;
  number: number;
  name: string;
  flavor: SimulatedFlavor;
  host: SimulatedHost;
  projectId: string;
  userId: string;
  vmState:
    | 'building'
    | 'active'
    | 'stopped'
    | 'paused'
    | 'suspended'
    | 'resized'
    | 'shelved'
    | 'shelved_offloaded'
    | 'error';
  taskState: string | null;
  /** 1 running, 3 paused, 4 shut down. */
  powerState: number;
  locked: boolean;
  lockedReason: string | null;
  metadata: Record<string, string>;
  pinnedZone: string | null;
  /** Ports of Neutron. */
  ports: SimulatedPort[];
  /** Ids of attached shares of Manila. */
  shares: string[];
  /** Hints to the scheduler, by name. Nova keeps them for every later move. */
  schedulerHints: Record<string, string[]>;
  group: SimulatedServerGroup | null;
  volumeUuids: string[];
  bootFromVolume: boolean;
  imageProperties: Record<string, string>;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  launchedAt: number;
  load: LoadProfile;
  /** Its recorded load, which replaces the profile. */
  recorded?: PlayedServer;
  /** Key of the load model's noise. */
  loadKey: number;
  /** Multiplies the CPU; 1 without a hint. */
  loadFactor: number;
  /** Set while a cold migration or resize waits to be confirmed. */
  pendingResize: PendingResize | null;
  actions: InstanceAction[];
}

/** A port of Neutron that is attached to a server. */
export interface SimulatedPort {
  id: string;
  /** Neutron's `binding:vnic_type`. */
  vnicType: string;
  /** Placement resources of the port. Null without any. */
  resourceRequest: object | null;
}

/** Data to revert a cold migration or a resize. */
export interface PendingResize {
  migration: MigrationRecord;
  oldFlavor: SimulatedFlavor;
  oldHost: SimulatedHost;
  oldVmState: 'active' | 'stopped';
}

export interface SimulatedServerGroup {
  uuid: string;
  name: string;
  policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  projectId: string;
  maxServerPerHost: number;
  members: Set<SimulatedServer>;
}

export interface SimulatedAggregate {
  id: number;
  uuid: string;
  name: string;
  hosts: Set<string>;
  metadata: Record<string, string>;
  createdAt: number;
}

export type MigrationStatus =
  | 'accepted'
  | 'queued'
  | 'preparing'
  | 'running'
  | 'post-migrating'
  | 'completed'
  | 'pre-migrating'
  | 'migrating'
  | 'finished'
  | 'done'
  | 'confirming'
  | 'confirmed'
  | 'reverting'
  | 'reverted'
  | 'cancelled'
  | 'error';

/** A row of Nova's migrations. Byte counts are in MiB. */
export interface MigrationRecord {
  id: number;
  uuid: string;
  server: SimulatedServer;
  type: 'live-migration' | 'migration' | 'resize' | 'evacuation';
  status: MigrationStatus;
  source: SimulatedHost;
  dest: SimulatedHost | null;
  oldFlavor: SimulatedFlavor;
  newFlavor: SimulatedFlavor;
  createdAt: number;
  updatedAt: number | null;
  projectId: string;
  userId: string;
  memory: CopyProgress;
  disk: CopyProgress;
  /** The simulator's id of the request. */
  requestId: string;
  /** Why it ended in `error`. */
  reason: string | null;
}

export interface CopyProgress {
  totalMib: number;
  processedMib: number;
  remainingMib: number;
}

/** A row of os-instance-actions. */
export interface InstanceAction {
  action: string;
  requestId: string;
  projectId: string;
  userId: string;
  startedAt: number;
  updatedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** Why it failed. Null otherwise. */
  fault: string | null;
}

export interface SimulatedVolume {
  uuid: string;
  name: string;
  sizeGb: number;
  type: string | null;
  pool: string;
  projectId: string;
  attachedTo: SimulatedServer | null;
  createdAt: number;
  updatedAt: number;
  multiattach: boolean;
  /** Group that it belongs to. */
  groupId: string | null;
  replicated: boolean;
  encrypted: boolean;
  /** Status while an operation runs. Null: derived from the attachment. */
  busy: 'maintenance' | 'retyping' | 'deleting' | null;
  /** `os-vol-mig-status-attr:migstat`. */
  migrationStatus: string | null;
  /** For the shadow of a migrated volume: the uuid of that volume. */
  nameId: string | null;
}

/** A machine under Ironic's control. */
export interface SimulatedNode {
  uuid: string;
  name: string;
  host: SimulatedHost | null;
  powerState: 'power on' | 'power off';
  targetPowerState: 'power on' | 'power off' | null;
  maintenance: boolean;
  maintenanceReason: string | null;
  lastError: string | null;
  /** When the last change of its power started, in milliseconds. Null before the first one. */
  powerChangedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** A pool, as last reported by its backend to Cinder's scheduler. */
export interface PoolReport {
  /** Milliseconds since 1970. */
  atMs: number;
  freeGb: number;
  provisionedGb: number;
  allocatedGb: number;
  volumes: number;
}

export interface SimulatedPool {
  name: string;
  totalGb: number;
  freeGb: number;
  backendName: string;
  maxOverSubscriptionRatio: number;
  alive: boolean;
  status: 'enabled' | 'disabled';
  /** Whether only one compute node can access its volumes. */
  hostBound: boolean;
  /**
   * Excess of `allocated_capacity_gb` in GB: Cinder does not subtract migrated volumes until cinder-volume restarts.
   * Absent: 0.
   */
  allocationDriftGb?: number;
  report: PoolReport;
}

export interface SimulatedVolumeType {
  id: string;
  name: string;
  extraSpecs: Record<string, string>;
}

export interface SimulatedProject {
  id: string;
  name: string;
}

/** State of the simulated cloud. Only `compute/`, `migration/`, `storage/` and `baremetal/` change it. */
export interface CloudState {
  worldName: string;
  region: string;
  storage: 'local' | 'shared';
  projects: Map<string, SimulatedProject>;
  hosts: Map<string, SimulatedHost>;
  hostsByUuid: Map<string, SimulatedHost>;
  flavors: Map<string, SimulatedFlavor>;
  servers: Map<string, SimulatedServer>;
  /** Newest first, as Nova lists them. */
  serverOrder: SimulatedServer[];
  aggregates: Map<number, SimulatedAggregate>;
  groups: Map<string, SimulatedServerGroup>;
  migrations: MigrationRecord[];
  volumes: Map<string, SimulatedVolume>;
  pools: SimulatedPool[];
  volumeTypes: SimulatedVolumeType[];
  /** By uuid. */
  nodes: Map<string, SimulatedNode>;
}

/** A demand from a flavor (`hw:NAME`), or else from an image (`hw_NAME`). */
export function hardwareDemand(flavor: SimulatedFlavor, server: ServerImage, name: string): string | undefined {
  return flavor.extraSpecs[`hw:${name}`] ?? server.imageProperties[`hw_${name}`];
}

/** The part of a server that determines its resources together with the flavor. */
export type ServerImage = Pick<SimulatedServer, 'bootFromVolume' | 'imageProperties'>;

/** Length of a list of single CPUs and ranges, such as `0,2-3`. */
function cpusIn(list: string): number {
  return list
    .split(',')
    .map((part) => part.split('-').map(Number))
    .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
}

/** CPUs as Nova requests them from Placement. */
function cpusOf(flavor: SimulatedFlavor, server: ServerImage): Pick<Resources, 'VCPU' | 'PCPU'> {
  const { vcpus, extraSpecs: specs } = flavor;
  const policy = hardwareDemand(flavor, server, 'cpu_policy');
  const emulator = specs['hw:emulator_threads_policy'] === 'isolate' ? 1 : 0;
  if (policy === 'dedicated') return { VCPU: 0, PCPU: vcpus + emulator };
  if (policy === 'mixed') {
    const dedicated = cpusIn(specs['hw:cpu_dedicated_mask'] ?? `0-${vcpus - 1}`);
    return { VCPU: vcpus - dedicated, PCPU: dedicated + emulator };
  }
  const named = Number(specs['resources:PCPU'] ?? 0);
  if (named > 0) return { VCPU: Number(specs['resources:VCPU'] ?? 0), PCPU: named + emulator };
  return { VCPU: Number(specs['resources:VCPU'] ?? vcpus), PCPU: 0 };
}

/** The resources of a server with this flavor on a host. */
export function resourcesOf(flavor: SimulatedFlavor, server: ServerImage): Resources {
  const swapGb = Math.ceil(flavor.swapMb / 1024);
  return {
    ...cpusOf(flavor, server),
    MEMORY_MB: flavor.ramMb,
    DISK_GB: (server.bootFromVolume ? 0 : flavor.diskGb) + flavor.ephemeralGb + swapGb,
    VGPU: Number(flavor.extraSpecs['resources:VGPU'] ?? 0),
  };
}

/** The host of a server. Null while it is shelved without one. */
export function hostOf({ vmState, host }: Pick<SimulatedServer, 'vmState' | 'host'>): SimulatedHost | null {
  return vmState === 'shelved_offloaded' ? null : host;
}

/** Whether Nova shows the service as up. */
export function isUp(host: SimulatedHost): boolean {
  return host.alive && host.powered && !host.forcedDown;
}
