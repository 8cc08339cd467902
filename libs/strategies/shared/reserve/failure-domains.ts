import type { AggregateInfo, ComputeSnapshot, InstanceInfo } from '#libs/cluster-model';

/** Hosts that stand in for each other: no other host can take the instances that are restricted to them. */
export interface FailureDomain {
  /** Kind and name for people, such as `zone az1`. */
  name: string;
  /** Rows of hosts. */
  hosts: number[];
  /** Whether an instance on them is restricted to them. All are, when it is absent. */
  isBound?: (instance: number) => boolean;
  /** A part of another domain: none of its hosts need stay in use where no instance is bound to it. */
  isPart?: true;
}

/** Keys of aggregates that keep nothing apart. */
const plainKeys = new Set([
  'availability_zone',
  'cpu_allocation_ratio',
  'ram_allocation_ratio',
  'disk_allocation_ratio',
]);

/** Keys that may reserve the hosts of an aggregate. */
function reservingKeys({ metadata }: AggregateInfo): string[] {
  return Object.keys(metadata).filter((key) => !plainKeys.has(key));
}

/** Keys by which Nova keeps the hosts of an aggregate for some projects or traits, without any key of flavors. */
const isExclusive = (key: string) => key.startsWith('filter_tenant_id') || key.startsWith('trait:');

/** Whether a flavor or an image names one of the keys. Other metadata is a label, such as that of a rack. */
function namesOne({ flavorExtraSpecs, imageProperties = {} }: InstanceInfo, keys: readonly string[]): boolean {
  return keys.some(
    (key) =>
      key in imageProperties || key in flavorExtraSpecs || `aggregate_instance_extra_specs:${key}` in flavorExtraSpecs,
  );
}

/** The instances that an aggregate keeps on its hosts. */
function boundBy({ instanceInfo }: ComputeSnapshot, aggregate: AggregateInfo): FailureDomain['isBound'] {
  const keys = reservingKeys(aggregate);
  if (keys.some(isExclusive)) return undefined;
  return (instance) => namesOne(instanceInfo[instance] as InstanceInfo, keys);
}

/**
 * The part of a domain on each shared storage: a disk there is of no use to hosts of another one. None where all hosts
 * have the same.
 */
function byStorage(snapshot: ComputeSnapshot, { name, hosts, isBound = () => true }: FailureDomain): FailureDomain[] {
  const { hostInfo, instanceInfo, sharedDisks = [] } = snapshot;
  const storageOf = (host: number) => hostInfo[host]?.sharedDisk ?? -1;
  const isMixed = hosts.some((host) => storageOf(host) !== storageOf(hosts[0] as number));
  const isStored = (instance: number) => (instanceInfo[instance]?.sharedDiskGb ?? 0) > 0 && isBound(instance);
  return sharedDisks.flatMap(({ uuid }, storage): FailureDomain[] => {
    const part = isMixed ? hosts.filter((host) => storageOf(host) === storage) : [];
    if (part.length === 0) return [];
    return [{ name: `${name}, storage ${uuid}`, hosts: part, isBound: isStored, isPart: true }];
  });
}

/**
 * Zones, aggregates and cells that have one of the given hosts, and their parts by the storage that hosts share. Cells
 * count where configuration names some.
 */
export function failureDomains(snapshot: ComputeSnapshot, hosts: readonly number[]): FailureDomain[] {
  const { hostInfo, aggregates, zones } = snapshot;
  const domains = new Map<string, FailureDomain>();
  const add = (name: string, host: number, aggregate?: AggregateInfo) => {
    const known = domains.get(name);
    if (known !== undefined) known.hosts.push(host);
    else {
      const isBound = aggregate && boundBy(snapshot, aggregate);
      domains.set(name, { name, hosts: [host], ...(isBound && { isBound }) });
    }
  };
  const hasCells = hostInfo.some(({ cell }) => cell !== undefined);
  for (const host of hosts) {
    const info = hostInfo[host];
    add(`zone ${zones[snapshot.hosts.zone[host] as number] ?? ''}`, host);
    if (hasCells) add(`cell ${info?.cell ?? 'without name'}`, host);
    for (const row of info?.aggregates ?? []) {
      const aggregate = aggregates[row];
      if (aggregate) add(`aggregate ${aggregate.name}`, host, aggregate);
    }
  }
  return [...domains.values()].flatMap((domain) => [domain, ...byStorage(snapshot, domain)]);
}

/**
 * The hosts of a list that may be disabled together: every domain keeps an enabled host, because the applier refuses to
 * disable the last one.
 * @param accepting rows of the enabled hosts; @param wanted the list, in the order of preference
 */
export function disabledTogether(
  snapshot: ComputeSnapshot,
  accepting: readonly number[],
  wanted: readonly number[],
): number[] {
  const domains = failureDomains(snapshot, accepting).filter(({ isPart }) => isPart !== true);
  const left = new Map(domains.map((domain) => [domain, domain.hosts.length]));
  const domainsOf = new Map<number, FailureDomain[]>();
  for (const domain of domains)
    for (const host of domain.hosts) domainsOf.set(host, [...(domainsOf.get(host) ?? []), domain]);
  return wanted.filter((row) => {
    const own = domainsOf.get(row) ?? [];
    if (own.some((domain) => left.get(domain) === 1)) return false;
    for (const domain of own) left.set(domain, (left.get(domain) as number) - 1);
    return true;
  });
}
