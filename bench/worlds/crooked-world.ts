import type {
  Aggregate,
  BaremetalNode,
  ComputeService,
  Hypervisor,
  Inventory,
  Server,
  ServerGroup,
  Snapshot,
  StoragePool,
  StorageService,
  Volume,
  VolumeType,
} from '#libs/openstack';

/** Amounts by Placement's resource class. */
export type Amounts = Record<string, number>;

/** A cloud as its services would tell it, row by row. Changed in place when a plan is played. */
export interface CrookedWorld {
  seed: number;
  hypervisors: Hypervisor[];
  services: ComputeService[];
  servers: Server[];
  aggregates: Aggregate[];
  serverGroups: ServerGroup[];
  /** By the uuid of the provider, which is that of the hypervisor but for further providers. */
  inventories: Map<string, Record<string, Inventory>>;
  /** By the uuid of the provider, then of the consumer: a server, or a migration that is not over. */
  allocations: Map<string, Map<string, Amounts>>;
  /** Uuids of providers beside its own that serve a hypervisor: GPUs below it, storage that it shares with others. */
  furtherProviders: Map<string, string[]>;
  traits: Map<string, string[]>;
  /** Zone that each server was asked to be in, whether Nova tells or not. */
  pins: Map<string, string>;
  /** Cell of each service host, where configuration tells. Else empty. */
  cells: Map<string, string>;
  hostBoundVolumes: Set<string>;
  storage: {
    services: StorageService[];
    pools: StoragePool[];
    volumes: Volume[];
    types: VolumeType[];
    snapshots: Snapshot[];
  };
  machines: BaremetalNode[];
  /** By the name of the metric, then by host name or uuid of the server. May hold what is not finite. Has holes. */
  metrics: Map<string, Map<string, number>>;
}

/** Compute services of hosts for virtual machines: not those of bare metal. */
export function virtualServices({ services, hypervisors }: CrookedWorld): ComputeService[] {
  const metal = new Set(hypervisors.filter((one) => one.hypervisorType === 'ironic').map((one) => one.serviceHost));
  return services.filter(({ host }) => !metal.has(host));
}

/** A copy of what plans change. What they only read is shared. */
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
