/**
 * What Vigil reads from and asks of an OpenStack cloud. Shapes are Vigil's own (camelCase, only what is used); the
 * adapters translate. Every call has a time limit, is counted, and throws an `OpenStackError` (see `errors.ts`).
 */

/** What goes with every call. */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID`, so that Nova's logs can be joined with ours; form `req-<uuid>`. */
  requestId?: string;
}

/** A row of `/os-hypervisors/detail`. */
export interface Hypervisor {
  uuid: string;
  /** Name that libvirt gives; differs from `serviceHost` in some clouds. */
  hypervisorHostname: string;
  /** Name of the nova-compute service on it: what Vigil calls the host name. */
  serviceHost: string;
  serviceId: string;
  status: 'enabled' | 'disabled';
  state: 'up' | 'down';
  disabledReason: string | null;
  hypervisorType: string;
  /** Grows with releases; absent when Nova does not tell. */
  hypervisorVersion?: number;
  /** Of its CPUs; parts that Nova does not tell are absent. */
  cpu?: { architecture?: string; model?: string };
  /** Totals as the hypervisor reports them; null from microversion 2.88 on (Placement has them). */
  vcpus: number | null;
  memoryMb: number | null;
  localDiskGb: number | null;
}

/** A flavor, or what a server keeps of it (without an id then). */
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
  /** Zone the server was asked to be in, null when in none; absent when Nova does not tell (before 2.96). */
  pinnedAvailabilityZone?: string | null;
  projectId: string;
  locked: boolean;
  metadata: Record<string, string>;
  bootedFromVolume: boolean;
  /** Image that it was made from; absent when it was booted from a volume. */
  imageId?: string;
  /** Properties of its image as the server has them (2.98); absent when Nova does not tell them. */
  imageProperties?: Record<string, string>;
  flavor: FlavorDetails;
  attachedVolumeIds: string[];
  serverGroupIds: string[];
  fault: string | null;
  created: string;
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
  /** True when the database of its cell does not answer Nova, so that nothing else is known of it. */
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
  /** Who asked for it (2.80); null when Nova does not tell. */
  userId: string | null;
  projectId: string | null;
  /** How far a live migration has come; null when it does not run, and while Nova does not know yet. */
  transfer: MigrationTransfer | null;
}

/** A row of `/servers/{id}/os-instance-actions`: something that was asked of a server. */
export interface InstanceAction {
  /** Nova's name of it, such as `live-migration`. */
  action: string;
  /** The id that Nova gave to the request and told in its answer; never the id that the caller sent along. */
  requestId: string;
  userId: string | null;
  projectId: string | null;
}

/** What a service says of a change that it took. */
export interface TakenRequest {
  /** The service's own id of the request; null when it tells none. */
  requestId: string | null;
}

/** Bytes of a running live migration. What a server writes meanwhile is copied again, so `remaining` may grow. */
export interface MigrationTransfer {
  memoryTotalBytes: number;
  memoryRemainingBytes: number;
  /** Zero with shared storage. */
  diskTotalBytes: number;
  diskRemainingBytes: number;
}

/** Inventory of one resource class: what can be allocated is `(total - reserved) * allocationRatio`. */
export interface Inventory {
  total: number;
  reserved: number;
  allocationRatio: number;
  minUnit: number;
  maxUnit: number;
  stepSize: number;
}

/** A resource provider of Placement. */
export interface ResourceProvider {
  uuid: string;
  name: string;
  generation: number;
  parentUuid: string | null;
}

/** Nova: what is read for the model, and what actions ask for. */
export interface ComputePort {
  listHypervisors(options?: CloudCallOptions): Promise<Hypervisor[]>;
  findHypervisorByServiceHost(host: string, options?: CloudCallOptions): Promise<Hypervisor | null>;
  /** By its uuid; null when Nova answers 404. */
  getHypervisor(uuid: string, options?: CloudCallOptions): Promise<Hypervisor | null>;
  /** All servers of all projects, paged with `pageSize` (default 1000, which is also Nova's usual maximum). */
  listServers(filter?: { host?: string }, options?: CloudCallOptions & { pageSize?: number }): Promise<Server[]>;
  /** Null when Nova answers 404. */
  getServer(uuid: string, options?: CloudCallOptions): Promise<Server | null>;
  listServices(options?: CloudCallOptions): Promise<ComputeService[]>;
  listAggregates(options?: CloudCallOptions): Promise<Aggregate[]>;
  listServerGroups(options?: CloudCallOptions): Promise<ServerGroup[]>;
  /** Public and private ones. */
  listFlavors(options?: CloudCallOptions): Promise<FlavorDetails[]>;
  /** By id only; null when Nova answers 404. */
  getFlavor(id: string, options?: CloudCallOptions): Promise<FlavorDetails | null>;
  /** Newest first. */
  listMigrations(filter: { serverUuid: string }, options?: CloudCallOptions): Promise<Migration[]>;
  /** Migrations of a server that run now. */
  listServerMigrations(serverUuid: string, options?: CloudCallOptions): Promise<Migration[]>;
  /** What was asked of a server, newest first; nothing when there is no such server. */
  listInstanceActions(serverUuid: string, options?: CloudCallOptions): Promise<InstanceAction[]>;
  liveMigrate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<TakenRequest>;
  coldMigrate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<void>;
  /** Rebuilds a server of a host whose compute service is down on another one; null leaves the choice to the scheduler. */
  evacuate(serverUuid: string, host: string | null, options?: CloudCallOptions): Promise<TakenRequest>;
  confirmResize(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  /** Brings a server in VERIFY_RESIZE back to its former host and flavor. */
  revertResize(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  abortLiveMigration(serverUuid: string, migrationId: number, options?: CloudCallOptions): Promise<void>;
  /** Changes the flavor; the server then waits in VERIFY_RESIZE. */
  resizeServer(serverUuid: string, flavorId: string, options?: CloudCallOptions): Promise<void>;
  stopServer(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  startServer(serverUuid: string, options?: CloudCallOptions): Promise<void>;
  /** Answers the status that Nova reports after the change. */
  setServiceStatus(
    serviceId: string,
    status: 'enabled' | 'disabled',
    disabledReason: string | null,
    options?: CloudCallOptions,
  ): Promise<'enabled' | 'disabled'>;
}

/** Placement. */
export interface PlacementPort {
  listResourceProviders(options?: CloudCallOptions): Promise<ResourceProvider[]>;
  /** By resource class; null when the provider is unknown. */
  getInventories(providerUuid: string, options?: CloudCallOptions): Promise<Record<string, Inventory> | null>;
  /** Allocations of all consumers on one provider; null when it is unknown. */
  getAllocations(providerUuid: string, options?: CloudCallOptions): Promise<Map<string, Record<string, number>> | null>;
  getTraits(providerUuid: string, options?: CloudCallOptions): Promise<string[]>;
}

/** A volume of Cinder. */
export interface Volume {
  uuid: string;
  name: string;
  sizeGb: number;
  status: string;
  volumeType: string | null;
  host: string | null;
  attachments: { serverId: string; attachmentId: string }[];
  multiattach: boolean;
  bootable: boolean;
  migrationStatus: string | null;
  /** Of the shadow of a migrated volume: the volume that it stands in for. */
  nameId: string | null;
  /** Absent when Cinder does not tell. */
  projectId?: string;
  /** UTC in ISO 8601 without a zone letter; absent when Cinder does not tell. */
  createdAt?: string;
}

/** A pool of a backend, named `host@backend#pool`; null where the backend does not tell or says `unknown`. */
export interface StoragePool {
  name: string;
  totalCapacityGb: number | null;
  freeCapacityGb: number | null;
  provisionedCapacityGb: number | null;
  allocatedCapacityGb: number | null;
  volumeBackendName: string | null;
  /** All that the backend tells of itself, as texts; compared with the extra specs of volume types. */
  capabilities: Record<string, string>;
}

/** A volume type of Cinder. */
export interface VolumeType {
  id: string;
  name: string;
  extraSpecs: Record<string, string>;
}

/** A cinder-volume service. */
export interface StorageService {
  host: string;
  zone: string;
  status: 'enabled' | 'disabled';
  state: 'up' | 'down';
}

/** A snapshot of a volume. */
export interface Snapshot {
  uuid: string;
  name: string;
  volumeId: string;
  status: string;
  sizeGb: number;
}

/** Cinder. */
export interface VolumePort {
  listVolumes(options?: CloudCallOptions): Promise<Volume[]>;
  getVolume(uuid: string, options?: CloudCallOptions): Promise<Volume | null>;
  /** The first volume of any project with that very name; null when there is none. */
  getVolumeByName(name: string, options?: CloudCallOptions): Promise<Volume | null>;
  listSnapshots(options?: CloudCallOptions): Promise<Snapshot[]>;
  listPools(options?: CloudCallOptions): Promise<StoragePool[]>;
  listTypes(options?: CloudCallOptions): Promise<VolumeType[]>;
  listServices(options?: CloudCallOptions): Promise<StorageService[]>;
  /** Starts moving a volume to a pool (`host@backend#pool`); users can not touch it until it has arrived. */
  migrateVolume(uuid: string, pool: string, options?: CloudCallOptions): Promise<void>;
  /** Starts changing the type of a volume; Cinder moves it where the type asks for that. */
  retypeVolume(uuid: string, typeName: string, options?: CloudCallOptions): Promise<void>;
}

/** Power states that can be asked of Ironic. */
export type PowerTarget = 'power on' | 'power off';

/** A node of Ironic. */
export interface BaremetalNode {
  uuid: string;
  name: string | null;
  /** Such as `power on`, `power off`, `rebooting`; null when Ironic does not know it. */
  powerState: string | null;
  /** Where a change that is under way leads; null when there is none. */
  targetPowerState: string | null;
  provisionState: string | null;
  maintenance: boolean;
  maintenanceReason: string | null;
  /** What went wrong in the last change; null when it went well. */
  lastError: string | null;
  /** `extra.compute_node_id`: uuid of the hypervisor that runs on the node. */
  computeNodeId: string | null;
  extra: Record<string, string>;
}

/** Ironic. */
export interface BaremetalPort {
  listNodes(options?: CloudCallOptions): Promise<BaremetalNode[]>;
  /** By uuid or name; null when Ironic answers 404. */
  getNode(id: string, options?: CloudCallOptions): Promise<BaremetalNode | null>;
  /** Asks for a change, which takes its time. Refused with 409 while something else has the node locked. */
  setPowerState(id: string, target: PowerTarget, options?: CloudCallOptions): Promise<void>;
}

/** What Keystone says of a token that a client of Vigil presents. */
export interface ValidatedToken {
  userId: string;
  userName: string;
  projectId: string | null;
  projectName: string | null;
  domainId: string | null;
  /** `all` for a token of the whole system; absent for any other. */
  systemScope?: string;
  roles: string[];
  expiresAt: string;
}

/** Who Vigil is for the cloud. */
export interface Requester {
  userId: string;
  /** Null without a project. */
  projectId: string | null;
}

/** What a person signs in with; domains by name. */
export interface SignIn {
  userName: string;
  userDomain: string;
  password: string;
  projectName: string;
  projectDomain: string;
}

/** Keystone. */
export interface IdentityPort {
  /** A token for the service credentials, fetched anew when it nears its end. */
  token(options?: CloudCallOptions): Promise<string>;
  /** The user and the project that the service credentials stand for; null when Keystone does not tell. */
  requester(options?: CloudCallOptions): Promise<Requester | null>;
  /**
   * Null when the token is unknown, expired or revoked. With `allowExpired` an expired one is good for as long as Keystone
   * still knows it (`allow_expired_window`), which is meant for requests that a service passes on.
   */
  validate(token: string, options?: CloudCallOptions & { allowExpired?: boolean }): Promise<ValidatedToken | null>;
  /**
   * A token for a person who gives a password; null when Keystone refuses the user, the password or the project.
   * @throws OpenStackError when Keystone can not be asked.
   */
  signIn(login: SignIn, options?: CloudCallOptions): Promise<string | null>;
  /**
   * Revokes a token by its own right; one that is no longer valid is no error.
   * @throws OpenStackError when Keystone cannot be asked or refuses.
   */
  revoke(token: string, options?: CloudCallOptions): Promise<void>;
  /** Base URL of a service of the catalogue, or null when there is none. */
  endpoint(serviceType: string, options?: CloudCallOptions): Promise<string | null>;
}

/** An image with the properties that its owner gave it, and those fields of Glance that are texts. */
export interface Image {
  uuid: string;
  properties: Record<string, string>;
}

/** Glance, for reading. */
export interface ImagePort {
  /** Images of all projects. */
  listImages(options?: CloudCallOptions): Promise<Image[]>;
}

/** One OpenStack cloud (region) as seen with one set of credentials. */
export interface Cloud {
  identity: IdentityPort;
  compute: ComputePort;
  placement: PlacementPort;
  volume: VolumePort;
  baremetal: BaremetalPort;
  /** Absent in clouds that are played without it. */
  image?: ImagePort;
  /** Whether the catalogue has images; absent with `image`. */
  hasImageService?(options?: CloudCallOptions): Promise<boolean>;
  /** Whether the catalogue has block storage. */
  hasVolumeService(options?: CloudCallOptions): Promise<boolean>;
  /** Whether the catalogue has bare metal. */
  hasBaremetalService(options?: CloudCallOptions): Promise<boolean>;
  /** Frees the connections. */
  close(): Promise<void>;
}
