import type { ComputeModelInput } from '#libs/cluster-model';
import type { Server } from '#libs/openstack';
import type { WorldHost } from '#libs/world-file';

const counted = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const;
type Amounts = Record<(typeof counted)[number], number>;

/**
 * Amounts of consumers other than recorded instances, by uuid of the hypervisor. Hosts without such consumers are
 * absent.
 */
export type ForeignAllocations = ReadonlyMap<string, NonNullable<WorldHost['foreign_allocations']>>;

/**
 * Placement's allocations on each host that belong to no instance on it: builds, incoming migrations, leftovers. A
 * migrating instance holds its allocations on the source under the id of the migration. They belong to the instance.
 */
export function foreignAllocations(
  { hypervisors, allocations }: Pick<ComputeModelInput, 'hypervisors' | 'allocations'>,
  present: readonly Server[],
): ForeignAllocations {
  const residents = new Map<string, Server[]>();
  for (const server of present) {
    const known = residents.get(server.host ?? '');
    if (known === undefined) residents.set(server.host ?? '', [server]);
    else known.push(server);
  }
  return new Map(
    hypervisors.flatMap(({ uuid, serviceHost }) => {
      const sum = foreignOn(allocations.get(uuid) ?? new Map(), residents.get(serviceHost) ?? []);
      const amounts = counted.flatMap((name) => (sum[name] > 0 ? [[name, sum[name]] as const] : []));
      return amounts.length === 0 ? [] : [[uuid, Object.fromEntries(amounts)] as const];
    }),
  );
}

function foreignOn(consumers: ReadonlyMap<string, Record<string, number>>, residents: readonly Server[]): Amounts {
  const own = new Set(residents.map(({ uuid }) => uuid));
  const sum: Amounts = { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0 };
  for (const [consumer, resources] of consumers) {
    if (own.has(consumer)) continue;
    for (const name of counted) sum[name] += resources[name] ?? 0;
  }
  for (const { uuid, taskState, flavor } of residents)
    if (taskState !== null && !consumers.has(uuid)) take(sum, flavor);
  return sum;
}

function take(sum: Amounts, { vcpus, ramMb, diskGb }: Server['flavor']): void {
  const cpus = sum.VCPU >= vcpus ? 'VCPU' : 'PCPU';
  sum[cpus] -= vcpus;
  sum.MEMORY_MB -= ramMb;
  sum.DISK_GB -= diskGb;
}
