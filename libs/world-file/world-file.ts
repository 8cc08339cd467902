import { OperatorError } from '#libs/domain';

/**
 * The inventory of a world, version 1: the state of a cloud. All sizes are in the units of the OpenStack APIs (MiB
 * named `_mb`, GiB named `_gb`). Missing ids are derived from the names, so they are the same at every start. See
 * docs/worlds.md for the whole format.
 */
export interface WorldFile {
  format: 'vigil-simulator-world';
  version: 1;
  name: string;
  description?: string;
  /** Period of the recorded load beside the inventory. Absent in worlds that nothing was recorded of. */
  recording?: WorldRecording;
  licence?: string;
  attribution?: string;
  /** Default `RegionOne`. */
  region?: string;
  /** Whether disks lie on each host (`local`, default: migrations copy them) or on shared storage. */
  storage?: 'local' | 'shared';
  hosts: WorldHost[];
  flavors: WorldFlavor[];
  servers: WorldServer[];
  aggregates?: WorldAggregate[];
  server_groups?: WorldServerGroup[];
  volumes?: WorldVolume[];
  volume_types?: WorldVolumeType[];
  pools?: WorldPool[];
  /** Machines that Ironic knows. Without any the catalogue has no bare metal. */
  baremetal_nodes?: WorldNode[];
}

/** The period that a load was recorded in. */
export interface WorldRecording {
  /** ISO 8601, UTC. */
  start: string;
  /** Time that one sample stands for. */
  step_seconds: number;
  /** Samples of each series. 0: the inventory only. */
  steps: number;
  /** Whether names, ids and texts of the cloud were replaced by pseudonyms. */
  anonymised: boolean;
  /** Difference between two neighbouring values of a sample, in percent. Default 0.5. */
  percent_step?: 0.5 | 1 | 2;
  /** Parts whose service is in the catalogue and could not be read, so that nothing is known of them. Default none. */
  unread?: RecordedPart[];
}

/** A part of a cloud that an audit can do without. */
export type RecordedPart = 'block storage' | 'bare metal' | 'network ports' | 'shares';

/** Limits of Placement for the amount of one instance. Defaults: from 1 to the total, in steps of 1. */
export interface WorldUnits {
  min_unit?: number;
  max_unit?: number;
  step_size?: number;
}

export interface WorldHost {
  hostname: string;
  uuid?: string;
  vcpus: number;
  memory_mb: number;
  disk_gb: number;
  /** CPUs beside `vcpus` that servers with dedicated ones use (PCPU). Default 0. */
  pcpus?: number;
  /** Virtual GPUs for servers whose flavor has `resources:VGPU`. Default 0. */
  vgpus?: number;
  /** Placement allocation ratios. Defaults 1 (CPU), 1 (RAM), 1 (disk). */
  cpu_allocation_ratio?: number;
  ram_allocation_ratio?: number;
  disk_allocation_ratio?: number;
  /** Defaults 0 vCPUs, 512 MiB, 0 GiB. */
  reserved_vcpus?: number;
  reserved_memory_mb?: number;
  reserved_disk_gb?: number;
  /** Availability zone. Default `nova`. */
  zone?: string;
  /** Placement traits beside `COMPUTE_NODE`. */
  traits?: string[];
  status?: 'enabled' | 'disabled';
  disabled_reason?: string;
  state?: 'up' | 'down';
  /** Default false. */
  forced_down?: boolean;
  /** Cell of Nova. Servers cannot move between cells. Default: one for all. */
  cell?: string;
  /** IPv4 address. Default 10.0.0.1 for the first host, and so on. */
  host_ip?: string;
  /** As Nova reports it. Default 7002000. No live migration leads to an older one. */
  hypervisor_version?: number;
  /** Defaults `x86_64`, `Cascadelake-Server`. No live migration leads to another. */
  cpu_arch?: string;
  cpu_model?: string;
  /** Width of physical addresses. Default: not reported. */
  cpu_address_bits?: number;
  /** Network for migrations, MiB/s, shared by all that leave or enter the host. Default 1000. */
  migration_bandwidth_mib?: number;
  /** By resource class of Placement. */
  units?: Partial<Record<'VCPU' | 'PCPU' | 'MEMORY_MB' | 'DISK_GB', WorldUnits>>;
  /** Amounts that consumers other than the servers of the world have in Placement, by resource class. */
  foreign_allocations?: Partial<Record<'VCPU' | 'PCPU' | 'MEMORY_MB' | 'DISK_GB', number>>;
}

export interface WorldFlavor {
  name: string;
  /** Default: the name. */
  id?: string;
  vcpus: number;
  ram_mb: number;
  disk_gb: number;
  ephemeral_gb?: number;
  swap_mb?: number;
  extra_specs?: Record<string, string>;
}

/** How one instance behaves over the simulated day. See `load/load-model.ts` for the formulas. */
export interface LoadProfile {
  kind: 'idle' | 'steady' | 'diurnal' | 'bursty';
  /** Mean CPU, percent of the instance's vCPUs. */
  base: number;
  /** Half the distance between the day's highest and lowest point, percent. Default 0. */
  amplitude?: number;
  /** Where in the day the wave stands at midnight, 0 to 1. Default by project. */
  phase?: number;
  /** Largest random deviation, percent. Default 2. */
  noise?: number;
  /** Chance of a burst in any half hour, 0 to 1. Default 0, for `bursty` 0.15. */
  burst_probability?: number;
  /** CPU added by a burst, percent. Default 40. */
  burst_cpu?: number;
  /** Part of the flavor's memory in use, 0 to 1. Default 0.35 to 0.75 by instance. */
  memory?: number;
}

export interface WorldServer {
  name: string;
  uuid?: string;
  flavor: string;
  /** Service host. None only for servers in state ERROR. */
  host: string;
  /** Project name. Default `demo`. */
  project?: string;
  state?: 'active' | 'stopped' | 'paused' | 'suspended' | 'error';
  /**
   * Nova's number: 1 running, 3 paused, 4 shut down. Default by the state. Another says that the guest is not as it
   * should be.
   */
  power_state?: number;
  load?: LoadProfile;
  metadata?: Record<string, string>;
  locked?: boolean;
  /** Name of a server group. */
  group?: string;
  /** Names of attached volumes. The first boots the server when `boot_from_volume`. */
  volumes?: string[];
  boot_from_volume?: boolean;
  /** Properties of its original image, such as `hw_cpu_policy` or `trait:CUSTOM_SSD`. */
  image_properties?: Record<string, string>;
  pinned_zone?: string;
  /** Ports of Neutron. Default one for a software switch. */
  ports?: WorldPort[];
  /** Names of shares of Manila that are attached. Without any in the world the catalogue has no share service. */
  shares?: string[];
  /**
   * Hints to the scheduler, by name. `different_host` and `same_host` name servers of the world, or have the uuids of
   * others. Default none.
   */
  scheduler_hints?: Record<string, string | string[]>;
  /** ISO 8601. Default: one second after the server before it, from 2026-01-01 on. */
  created?: string;
}

/** A port of Neutron. */
export interface WorldPort {
  /** Default `normal`. */
  vnic_type?: string;
  /** Bandwidth that its policy guarantees, in kbit/s. Default none. */
  minimum_kbps?: number;
}

export interface WorldAggregate {
  name: string;
  hosts: string[];
  metadata?: Record<string, string>;
}

export interface WorldServerGroup {
  name: string;
  uuid?: string;
  policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  project?: string;
  /** Only for anti-affinity. Default 1. */
  max_server_per_host?: number;
}

export interface WorldVolume {
  name: string;
  uuid?: string;
  size_gb: number;
  /** Name of a volume type. */
  type?: string;
  /** Name of a pool. Default the first. */
  pool?: string;
  project?: string;
  /** Default false. */
  multiattach?: boolean;
  /** Name of the group that it belongs to. Default none. */
  group?: string;
  /** Default false. */
  replicated?: boolean;
  /** Default false. */
  encrypted?: boolean;
}

/** A machine under Ironic's control. */
export interface WorldNode {
  name: string;
  uuid?: string;
  /** Compute host that runs on it. Its hypervisor is named in `extra.compute_node_id`. */
  host?: string;
  /** Default `power on`. A host on a node that is off is down. */
  power_state?: 'power on' | 'power off';
  /** Reason of its maintenance. Default: it is in none. */
  maintenance_reason?: string;
}

export interface WorldVolumeType {
  name: string;
  extra_specs?: Record<string, string>;
}

export interface WorldPool {
  /** `host@backend#pool`. */
  name: string;
  total_gb: number;
  /** Default: total less the space of the volumes. */
  free_gb?: number;
  backend_name?: string;
  max_over_subscription_ratio?: number;
  state?: 'up' | 'down';
  status?: 'enabled' | 'disabled';
  /** Whether its volumes are reached from one compute node only, so that their servers cannot move. Default false. */
  host_bound?: boolean;
}

/**
 * A world file cannot be read or does not describe a possible cloud. The message names the file, the path in it
 * and the reason.
 */
export class WorldFileError extends OperatorError {
  readonly path: string;

  constructor(file: string, path: string, reason: string, options?: ErrorOptions) {
    super(path === '' ? `world file ${file}: ${reason}` : `world file ${file}: ${path}: ${reason}`, options);
    this.path = path;
  }
}
