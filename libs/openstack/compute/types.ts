import type { CloudCallOptions, TakenRequest } from '../call-options.ts';

/** A row of `/os-hypervisors/detail`. */
export interface Hypervisor {
  uuid: string;
  /** Name from libvirt. Differs from `serviceHost` in some clouds. */
  hypervisorHostname: string;
  /** Name of its nova-compute service: Vigil's host name. */
  serviceHost: string;
  serviceId: string;
  status: 'enabled' | 'disabled';
  state: 'up' | 'down';
  disabledReason: string | null;
  hypervisorType: string;
  /** Increases with releases. Absent when Nova does not report it. */
  hypervisorVersion?: number;
  /** Description of its CPUs. Parts that Nova does not report are absent. */
  cpu?: { architecture?: string; model?: string };
  /** All properties of its CPUs, by name, as its driver reports them. */
  cpuInfo?: Record<string, unknown>;
  /** Address of the host. Absent when Nova does not report it. */
  hostIp?: string;
  /** Totals as the hypervisor reports them. Null from microversion 2.88 on (Placement has them). */
  vcpus: number | null;
  memoryMb: number | null;
  localDiskGb: number | null;
}

/** A flavor, or the copy of a flavor in a server (then without an id). */
export interface FlavorDetails {
  id: string | null;
  name: string;
  vcpus: number;
  ramMb: number;
  diskGb: number;
  ephemeralGb: number;
  swapMb: number;
  extraSpecs: Record<string, string>;
}

/** A server of Nova. */
export interface Server {
  uuid: string;
  name: string;
  /** API status such as ACTIVE, SHUTOFF, VERIFY_RESIZE. */
  status: string;
  /** vm_state such as active, stopped, paused. */
  vmState: string;
  taskState: string | null;
  powerState: number;
  /** Service host, null while it is not scheduled. */
  host: string | null;
  hypervisorHostname: string | null;
  availabilityZone: string | null;
  /** Requested zone of the server, null for none. Absent when Nova does not report it (before 2.96). */
  pinnedAvailabilityZone?: string | null;
  /** Scheduler hints from its boot request, by name. Absent when Nova does not report them (before 2.100). */
  schedulerHints?: Record<string, string[]>;
  projectId: string;
  locked: boolean;
  metadata: Record<string, string>;
  bootedFromVolume: boolean;
  /** Its image. Absent for a server booted from a volume. */
  imageId?: string;
  /** Properties of its image, as stored with the server (2.98). Absent when Nova does not report them. */
  imageProperties?: Record<string, string>;
  flavor: FlavorDetails;
  attachedVolumeIds: string[];
  serverGroupIds: string[];
  fault: string | null;
  created: string;
}

/** A share of Manila that is attached to a server. */
export interface ServerShare {
  shareId: string;
  /** Such as `active`, `attaching`, `error`. */
  status: string;
}

/** A row of `/os-services`. */
export interface ComputeService {
  id: string;
  host: string;
  binary: string;
  zone: string;
  status: 'enabled' | 'disabled';
  state: 'up' | 'down';
  forcedDown: boolean;
  disabledReason: string | null;
  /** True when Nova cannot reach the database of its cell, so that its other properties are unknown. */
  unreachable?: boolean;
}

/** A host aggregate of Nova. */
export interface Aggregate {
  id: number;
  uuid: string;
  name: string;
  availabilityZone: string | null;
  hosts: string[];
  metadata: Record<string, string>;
}

/** A server group of Nova. */
export interface ServerGroup {
  uuid: string;
  name: string;
  policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  members: string[];
  /** `max_server_per_host` of an anti-affinity group; 1 when not set. */
  maxServerPerHost: number;
}

/** A row of `/os-migrations` or `/servers/{id}/migrations`. */
export interface Migration {
  id: number;
  uuid: string;
  serverUuid: string;
  status: string;
  type: string;
  sourceHost: string | null;
  destHost: string | null;
  createdAt: string;
  updatedAt: string | null;
  /** The requesting user (2.80). Null when Nova does not report it. */
  userId: string | null;
  projectId: string | null;
  /** Progress of a live migration. Null when it is not running or the progress is not known yet. */
  transfer: MigrationTransfer | null;
}

/** A row of `/servers/{id}/os-instance-actions`: a requested action on a server. */
export interface InstanceAction {
  /** Nova's name of it, such as `live-migration`. */
  action: string;
  /** The request id that Nova assigned and returned. Never the id that the caller sent. */
  requestId: string;
  userId: string | null;
  projectId: string | null;
}

/**
 * Bytes of a running live migration. Memory that the server writes during the migration is copied again, so
 * `remaining` may grow.
 */
export interface MigrationTransfer {
  memoryTotalBytes: number;
  memoryRemainingBytes: number;
  /** Zero with shared storage. */
  diskTotalBytes: number;
  diskRemainingBytes: number;
}

/** Nova: reads for the model, and requests of actions. */
export interface ComputePort {
  listHypervisors(options?: CloudCallOptions): Promise<Hypervisor[]>;
  findHypervisorByServiceHost(host: string, options?: CloudCallOptions): Promise<Hypervisor | null>;
  /** By its uuid. Null on Nova's 404. */
  getHypervisor(uuid: string, options?: CloudCallOptions): Promise<Hypervisor | null>;
  /** All servers of all projects, paged with `pageSize` (default 1000, which is also Nova's usual maximum). */
  listServers(filter: { host?: string }, options?: CloudCallOptions & { pageSize?: number }): Promise<Server[]>;
  /** Null on Nova's 404. */
  getServer(uuid: string, options?: CloudCallOptions): Promise<Server | null>;
  /** Shares of Manila that are attached to a server. Null on Nova's 404. Empty where Nova is older than 2.97. */
  listServerShares(serverUuid: string, options?: CloudCallOptions): Promise<ServerShare[] | null>;
  listServices(options?: CloudCallOptions): Promise<ComputeService[]>;
  listAggregates(options?: CloudCallOptions): Promise<Aggregate[]>;
  listServerGroups(options?: CloudCallOptions): Promise<ServerGroup[]>;
  /** Public and private ones. */
  listFlavors(options?: CloudCallOptions): Promise<FlavorDetails[]>;
  /** By id only. Null on Nova's 404. */
  getFlavor(id: string, options?: CloudCallOptions): Promise<FlavorDetails | null>;
  /** Newest first. */
  listMigrations(filter: { serverUuid: string }, options?: CloudCallOptions): Promise<Migration[]>;
  /** Migrations of all servers, created or changed since this time (milliseconds since 1970), unordered. */
  listMigrationsSince(sinceMs: number, options?: CloudCallOptions): Promise<Migration[]>;
  /** Migrations of a server that run now. */
  listServerMigrations(serverUuid: string, options?: CloudCallOptions): Promise<Migration[]>;
  /** The requested actions on a server, newest first. Empty when there is no such server. */
  listInstanceActions(serverUuid: string, options?: CloudCallOptions): Promise<InstanceAction[]>;
  /**
   * Nova's reason why a request on a server failed. Null without a failure, without such a request, and below 2.84,
   * where
   * Nova does not report it.
   */
  getInstanceActionFault(serverUuid: string, requestId: string, options?: CloudCallOptions): Promise<string | null>;
  liveMigrate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<TakenRequest>;
  coldMigrate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<TakenRequest>;
  /**
   * Rebuilds a server on another host when the compute service of its host is down. Null: the scheduler chooses the
   * host.
   */
  evacuate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<TakenRequest>;
  confirmResize(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  /** Reverts a server in VERIFY_RESIZE to its previous host and flavor. */
  revertResize(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  abortLiveMigration(serverUuid: string, migrationId: number, options?: CloudCallOptions): Promise<void>;
  /** Changes the flavor. The server then waits in VERIFY_RESIZE. */
  resizeServer(serverUuid: string, flavorId: string, options?: CloudCallOptions): Promise<TakenRequest>;
  stopServer(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  startServer(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  /** Deletes a server, immediately or softly, depending on Nova's configuration. */
  deleteServer(serverUuid: string, options?: CloudCallOptions): Promise<TakenRequest>;
  /** Stores a server as an image and frees its host, immediately or later, depending on Nova's configuration. */
  shelveServer(serverUuid: string, options?: CloudCallOptions): Promise<TakenRequest>;
  /** Returns the status that Nova reports after the change. */
  setServiceStatus(
    serviceId: string,
    status: 'enabled' | 'disabled',
    disabledReason: string | null,
    options?: CloudCallOptions,
  ): Promise<'enabled' | 'disabled'>;
}
