import type { AggregateInfo, ComputeSnapshot } from '#libs/cluster-model';

/** Hosts that stand in for each other: nothing else can take what may run there only. */
export interface FailureDomain {
  /** Kind and name for people, such as `zone az1`. */
  name: string;
  /** Rows of hosts. */
  hosts: number[];
}

/** Keys of aggregates that keep nothing apart. */
const plainKeys = new Set([
  'availability_zone',
  'cpu_allocation_ratio',
  'ram_allocation_ratio',
  'disk_allocation_ratio',
]);

/** Whether an aggregate keeps its hosts for projects, flavors, images or traits: any key of metadata may, but for Nova's own. */
function isolates({ metadata }: AggregateInfo): boolean {
  return Object.keys(metadata).some((key) => !plainKeys.has(key));
}

/** Zones, isolating aggregates and cells that have one of the given hosts. Cells count where configuration names some. */
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
  return [...domains].map(([name, rows]) => ({ name, hosts: rows }));
}
