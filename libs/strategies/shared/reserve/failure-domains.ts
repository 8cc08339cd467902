import type { AggregateInfo, ComputeSnapshot, InstanceInfo } from '#libs/cluster-model';

/** Hosts that replace each other: no other host accepts the instances that are restricted to them. */
export interface FailureDomain {
  /** Kind and name, such as `zone az1`. */
  name: string;
  /** Rows of hosts. */
  hosts: number[];
  /** Whether an instance on them is restricted to them. Absent: all instances are. */
  isBound?: (instance: number) => boolean;
  /** A part of another domain. It needs no host in use when no instance is bound to it. */
  isPart?: true;
}

/** Keys of aggregates that restrict no instances. */
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

/** Keys by which Nova reserves the hosts of an aggregate for projects or traits, without a key of flavors. */
const isExclusive = (key: string) => key.startsWith('filter_tenant_id') || key.startsWith('trait:');

/** Whether a flavor or an image names one of the keys. Other metadata is only a label, such as a rack. */
function namesOne({ flavorExtraSpecs, imageProperties = {} }: InstanceInfo, keys: readonly string[]): boolean {
  return keys.some(
    (key) =>
      key in imageProperties || key in flavorExtraSpecs || `aggregate_instance_extra_specs:${key}` in flavorExtraSpecs,
  );
}

/** The instances that an aggregate restricts to its hosts. */
function boundBy({ instanceInfo }: ComputeSnapshot, aggregate: AggregateInfo): FailureDomain['isBound'] {
  const keys = reservingKeys(aggregate);
  if (keys.some(isExclusive)) return undefined;
  const known = new Int8Array(instanceInfo.length).fill(-1);
  return (instance) => {
    if (known[instance] === -1) known[instance] = Number(namesOne(instanceInfo[instance] as InstanceInfo, keys));
    return known[instance] === 1;
  };
}

/**
 * The parts of a domain by shared storage. A disk there is not accessible from hosts of another one. Empty when all
 * hosts share the same storage.
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

/** The last domains by snapshot: an audit makes many attempts with the same hosts. */
const lastDomains = new WeakMap<ComputeSnapshot, { hosts: readonly number[]; domains: readonly FailureDomain[] }>();

/**
 * Zones, aggregates and cells with one of the given hosts, and their parts by shared storage. Cells count when the
 * configuration names some. Several calls may return the same domains.
 */
export function failureDomains(snapshot: ComputeSnapshot, hosts: readonly number[]): readonly FailureDomain[] {
  const last = lastDomains.get(snapshot);
  if (last?.hosts.length === hosts.length && last.hosts.every((host, at) => host === hosts[at])) return last.domains;
  const domains = readDomains(snapshot, hosts);
  lastDomains.set(snapshot, { hosts: [...hosts], domains });
  return domains;
}

function readDomains(snapshot: ComputeSnapshot, hosts: readonly number[]): FailureDomain[] {
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
 * The hosts of a list that may be disabled together. Every domain keeps an enabled host, because the applier refuses
 * to disable the last one.
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
