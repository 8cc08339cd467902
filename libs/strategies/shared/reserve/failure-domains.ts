import type { AggregateInfo, ComputeSnapshot } from '#libs/cluster-model';

/** Hosts that stand in for each other: no other host can take the instances that are restricted to them. */
export interface FailureDomain {
  /** Kind and name for people, such as `zone az1`. */
  name: string;
  /** Rows of hosts. */
  hosts: number[];
  /** Row of the storage that all of them share, where the domain is about instances with their disk on it only. */
  storage?: number;
}

/** Keys of aggregates that keep nothing apart. */
const plainKeys = new Set([
  'availability_zone',
  'cpu_allocation_ratio',
  'ram_allocation_ratio',
  'disk_allocation_ratio',
]);

/**
 * Whether an aggregate keeps its hosts for projects, flavors, images or traits: any key of metadata may, but for Nova's
 * own.
 */
function isolates({ metadata }: AggregateInfo): boolean {
  return Object.keys(metadata).some((key) => !plainKeys.has(key));
}

/**
 * The part of a domain on each shared storage: a disk there is of no use to hosts of another one. None where all hosts
 * have the same.
 */
function byStorage({ hostInfo, sharedDisks = [] }: ComputeSnapshot, { name, hosts }: FailureDomain): FailureDomain[] {
  const storageOf = (host: number) => hostInfo[host]?.sharedDisk ?? -1;
  const isMixed = hosts.some((host) => storageOf(host) !== storageOf(hosts[0] as number));
  return sharedDisks.flatMap(({ uuid }, storage) => {
    const part = isMixed ? hosts.filter((host) => storageOf(host) === storage) : [];
    return part.length === 0 ? [] : { name: `${name}, storage ${uuid}`, hosts: part, storage };
  });
}

/**
 * Zones, isolating aggregates and cells that have one of the given hosts, and their parts by the storage that hosts
 * share. Cells count where configuration names some.
 */
export function failureDomains(snapshot: ComputeSnapshot, hosts: readonly number[]): FailureDomain[] {
  const { hostInfo, aggregates, zones } = snapshot;
  const domains = new Map<string, number[]>();
  const add = (name: string, host: number) => {
    const known = domains.get(name);
    if (known === undefined) domains.set(name, [host]);
    else known.push(host);
  };
  const hasCells = hostInfo.some(({ cell }) => cell !== undefined);
  for (const host of hosts) {
    const info = hostInfo[host];
    add(`zone ${zones[snapshot.hosts.zone[host] as number] ?? ''}`, host);
    if (hasCells) add(`cell ${info?.cell ?? 'without name'}`, host);
    for (const row of info?.aggregates ?? []) {
      const aggregate = aggregates[row];
      if (aggregate !== undefined && isolates(aggregate)) add(`aggregate ${aggregate.name}`, host);
    }
  }
  const whole = [...domains].map(([name, rows]): FailureDomain => ({ name, hosts: rows }));
  return whole.flatMap((domain) => [domain, ...byStorage(snapshot, domain)]);
}
