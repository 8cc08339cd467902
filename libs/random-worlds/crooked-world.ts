import type {
  Aggregate,
  BaremetalNode,
  ComputeService,
  Hypervisor,
  Inventory,
  Server,
  ServerGroup,
  ServerPort,
  Snapshot,
  StoragePool,
  StorageService,
  Volume,
  VolumeType,
} from '#libs/openstack';

/** Amounts by Placement's resource class. */
export type Amounts = Record<string, number>;

/** A cloud as reported by its services, row by row. Changed in place when a plan is played. */
export interface CrookedWorld {
  seed: number;
  hypervisors: Hypervisor[];
  services: ComputeService[];
  servers: Server[];
  aggregates: Aggregate[];
  serverGroups: ServerGroup[];
  /** By the uuid of the provider: that of the hypervisor, or of a further provider. */
  inventories: Map<string, Record<string, Inventory>>;
  /** By the uuid of the provider, then of the consumer: a server, or a running migration. */
  allocations: Map<string, Map<string, Amounts>>;
  /** Uuids of further providers that serve a hypervisor: GPUs below it, storage that it shares with others. */
  furtherProviders: Map<string, string[]>;
  traits: Map<string, string[]>;
  /** Requested zone of each server, whether Nova reports it or not. */
  pins: Map<string, string>;
  /** Cell of each service host, if configured. Otherwise empty. */
  cells: Map<string, string>;
  hostBoundVolumes: Set<string>;
  /** By server: whether it has a share of Manila. Empty where the cloud has none. */
  shares: Map<string, boolean>;
  /** Network ports of servers. Some need more of a host than a software switch. */
  ports: ServerPort[];
  storage: {
    services: StorageService[];
    pools: StoragePool[];
    volumes: Volume[];
    types: VolumeType[];
    snapshots: Snapshot[];
  };
  machines: BaremetalNode[];
  /**
   * By the name of the metric, then by host name or uuid of the server. May contain gaps and values that are not
   * finite.
   */
  metrics: Map<string, Map<string, number>>;
}

/** Returns the compute services of hosts for virtual machines, without those of bare metal. */
export function virtualServices({ services, hypervisors }: CrookedWorld): ComputeService[] {
  const metal = new Set(hypervisors.filter((one) => one.hypervisorType === 'ironic').map((one) => one.serviceHost));
  return services.filter(({ host }) => !metal.has(host));
}

/** Copies the rows that plans change. Rows that plans only read are shared. */
export function copyWorld(world: CrookedWorld): CrookedWorld {
  const { storage, allocations } = world;
  const rows = <Row extends object>(list: readonly Row[]) => list.map((row) => ({ ...row }));
  return {
    ...world,
    hypervisors: rows(world.hypervisors),
    services: rows(world.services),
    servers: rows(world.servers),
    allocations: new Map([...allocations].map(([uuid, consumers]) => [uuid, new Map(consumers)])),
    storage: { ...storage, pools: rows(storage.pools), volumes: rows(storage.volumes) },
  };
}
