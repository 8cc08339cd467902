import {
  type ComputeSnapshot,
  type ConstraintName,
  capabilityDemands,
  cpuNeed,
  createWhatIf,
  type WhatIf,
} from '#libs/cluster-model';
import { type Resource, resources, tolerance } from '../packing/packing-problem.ts';
import type { Steps } from '../steps.ts';
import { type NewInstance, onlyInstances } from './change-snapshot.ts';

/** A flavor of Nova, and how its instances are booted. */
export interface WhatIfFlavor {
  name: string;
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB of root, ephemeral and swap disk that instances take of their host. */
  disk: number;
  extraSpecs: Readonly<Record<string, string>>;
  /** Project of the instances, for hosts that aggregates keep for projects. */
  projectId: string;
  /** Zone that the boot requests. Empty: any. */
  zone: string;
  /** Image properties that restrict hosts. Default none. */
  imageProperties?: Readonly<Record<string, string>>;
  /** Whether Nova's scheduler compares extra specs with capabilities of hosts. Default true. */
  hasCapabilityFilter?: boolean;
}

/** Further instances of a flavor that hosts take. */
export interface FlavorPlaces {
  total: number;
  /** False: `total` is the most that there can be, since no API shows whether hosts meet all demands. */
  isExact: boolean;
  /** Demands that no API shows, and that are not certain therefore. */
  uncertain: ReadonlySet<ConstraintName>;
  /** Hosts with places, by row. On storage that they share, each has its places if it takes all of it. */
  hosts: ReadonlyMap<number, number>;
  /** Hosts that take none by the constraint that refuses. */
  refused: ReadonlyMap<ConstraintName, number>;
}

/** Constraints of which no API shows whether a host meets them. */
const unjudged: ReadonlySet<ConstraintName> = new Set([
  ...(['huge-pages', 'numa', 'uncounted-resource', 'capability-unknown'] as const),
]);

/** Amounts by which flavors override their own size. The model counts them. */
const overrides = { memory: 'resources:MEMORY_MB', disk: 'resources:DISK_GB' } as const;

/** The instance of a flavor as the model describes instances. */
export function instanceOf(flavor: WhatIfFlavor, name: string): NewInstance & { needs: Record<Resource, number> } {
  const extraSpecs = { ...flavor.extraSpecs };
  const amounts = { memory: flavor.memory, disk: flavor.disk };
  for (const [resource, key] of Object.entries(overrides) as ['memory' | 'disk', string][]) {
    const amount = Number(extraSpecs[key]);
    if (!Number.isFinite(amount)) continue;
    amounts[resource] = amount;
    delete extraSpecs[key];
  }
  const capabilities = flavor.hasCapabilityFilter === false ? null : capabilityDemands(extraSpecs);
  const info = {
    uuid: name,
    name,
    projectId: flavor.projectId,
    metadata: {},
    flavorExtraSpecs: extraSpecs,
    flavorName: flavor.name,
    ...(flavor.imageProperties === undefined ? {} : { imageProperties: { ...flavor.imageProperties } }),
    ...(capabilities === null ? {} : { capabilities }),
    pinnedZone: flavor.zone,
    created: '',
  };
  const { shared, dedicated } = cpuNeed(info, flavor.vcpus);
  return { info, vcpus: flavor.vcpus, ...amounts, needs: { vcpus: shared, dedicatedCpus: dedicated, ...amounts } };
}

const probe = 'probe';
const stepSize = 20_000;

/**
 * The number of further instances of each flavor that Nova can boot one after the other until it refuses. Each flavor
 * is counted alone. Equal instances without a group fill hosts independently, so that the number is the sum of the
 * hosts, limited by the storage that they share.
 * @param hosts rows of the hosts that accept instances
 */
export function* countPlaces(
  snapshot: ComputeSnapshot,
  hosts: readonly number[],
  flavors: readonly WhatIfFlavor[],
): Steps<FlavorPlaces[]> {
  const probes = flavors.map((flavor) => instanceOf(flavor, probe));
  // Disks are counted apart: they may be the host's own or shared.
  const world = onlyInstances(
    snapshot,
    probes.map((one) => ({ ...one, disk: 0 })),
  );
  const model = createWhatIf(world);
  const found: FlavorPlaces[] = [];
  let checks = 0;
  for (const [index, { needs }] of probes.entries()) {
    found.push(ofFlavor(model, { hosts, instance: index, needs }));
    checks += hosts.length;
    if (checks > stepSize) {
      checks = 0;
      yield;
    }
  }
  return found;
}

/**
 * Places of a flavor on some of the hosts alone: those that share storage with others have all of it.
 * @param places result of `countPlaces` for the flavor on these and other hosts
 */
export function placesAmong(
  snapshot: ComputeSnapshot,
  flavor: WhatIfFlavor,
  { places, hosts }: { places: Pick<FlavorPlaces, 'hosts'>; hosts: readonly number[] },
): number {
  const counts = new Map(
    hosts.flatMap((host) => {
      const count = places.hosts.get(host);
      return count === undefined ? [] : [[host, count] as const];
    }),
  );
  return totalOf(snapshot, counts, instanceOf(flavor, probe).needs.disk);
}

interface Probe {
  hosts: readonly number[];
  instance: number;
  needs: Record<Resource, number>;
}

function ofFlavor(model: WhatIf, { hosts, instance, needs }: Probe): FlavorPlaces {
  const places = new Map<number, number>();
  const refused = new Map<ConstraintName, number>();
  const unjudgedOnHosts = new Set<ConstraintName>();
  const refuse = (because: ConstraintName) => refused.set(because, (refused.get(because) ?? 0) + 1);
  for (const host of hosts) {
    const because = model.bootRefusal(instance, host);
    if (because !== null && !unjudged.has(because)) {
      refuse(because);
      continue;
    }
    const { count, lacking } = placesOn(model, host, needs);
    if (count === 0) {
      refuse(lacking);
      continue;
    }
    places.set(host, count);
    if (because !== null) unjudgedOnHosts.add(because);
  }
  const { flavorExtraSpecs = {} } = model.snapshot.instanceInfo[instance] ?? {};
  const uncertain = new Set<ConstraintName>([
    ...unjudgedOnHosts,
    // A host that shows its NUMA nodes may lack room in each, and so for the dedicated CPUs of one instance.
    ...(places.size > 0 && needs.dedicatedCpus > 0 ? (['dedicated-cpu'] as const) : []),
    ...(places.size > 0 && flavorExtraSpecs['hw:numa_nodes'] !== undefined ? (['numa'] as const) : []),
  ]);
  const isExact = uncertain.size === 0;
  return { total: totalOf(model.snapshot, places, needs.disk), isExact, uncertain, hosts: places, refused };
}

function totalOf(snapshot: ComputeSnapshot, counts: ReadonlyMap<number, number>, disk: number): number {
  let total = 0;
  const perStorage = new Map<number, number>();
  for (const [host, count] of counts) {
    const storage = snapshot.hostInfo[host]?.sharedDisk;
    if (storage === undefined || disk === 0) total += count;
    else perStorage.set(storage, (perStorage.get(storage) ?? 0) + count);
  }
  for (const [storage, count] of perStorage) {
    const free = snapshot.sharedDisks?.[storage]?.free ?? 0;
    total += Math.min(count, Math.max(0, Math.floor((free + tolerance) / disk)));
  }
  return total;
}

const constraints: Record<Resource, ConstraintName> = {
  ...{ vcpus: 'vcpu', dedicatedCpus: 'dedicated-cpu', memory: 'memory', disk: 'disk' },
};

/** Places of one host by its free room. `lacking`: the resource that limits them. */
function placesOn(model: WhatIf, host: number, needs: Record<Resource, number>) {
  const info = model.snapshot.hostInfo[host];
  const free = { ...model.free(host), dedicatedCpus: model.freeDedicatedCpus(host) };
  const shared = info?.sharedDisk === undefined ? undefined : model.snapshot.sharedDisks?.[info.sharedDisk];
  if (shared !== undefined) free.disk = needs.disk > shared.largest ? 0 : shared.free;
  const isTooLarge = shared === undefined && needs.disk > (model.snapshot.hosts.disk[host] as number);
  const units = info?.units?.disk;
  const isOddDisk =
    shared === undefined &&
    units !== undefined &&
    needs.disk > 0 &&
    (needs.disk < units.least || needs.disk > units.most || needs.disk % units.step !== 0);
  if (isTooLarge || isOddDisk) return { count: 0, lacking: 'disk' as ConstraintName };
  let count = Number.POSITIVE_INFINITY;
  let lacking: ConstraintName = 'vcpu';
  for (const resource of resources) {
    if (!(needs[resource] > 0)) continue;
    const places = Math.max(0, Math.floor((free[resource] + tolerance) / needs[resource]));
    if (places < count) [count, lacking] = [places, constraints[resource]];
  }
  return { count: Number.isFinite(count) ? count : 0, lacking };
}
