import type { ComputeModelInput } from '#libs/cluster-model';
import { messageOf } from '#libs/domain';
import type { CloudCallOptions, Hypervisor, PlacementPort } from '#libs/openstack';
import { createSemaphore } from '#libs/service-kit';

/** Responses of Placement for the hosts, and the missing ones. */
export type PlacementListings = Required<
  Pick<ComputeModelInput, 'inventories' | 'allocations' | 'traits' | 'sharedDisks' | 'gaps'>
>;

const diskClass = 'DISK_GB';

/** After this number of consecutive failures, no further request is sent. */
const failuresBeforeGivingUp = 8;

/** Runs at most `concurrency` reads at a time, and stops when the service seems to be down. */
function createReads(concurrency: number, options: CloudCallOptions) {
  const semaphore = createSemaphore(concurrency);
  let failuresInRow = 0;
  let lastFailure = '';

  return {
    lastFailure: () => lastFailure,
    async attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
      const release = await semaphore.acquire(options.signal);
      try {
        if (failuresInRow >= failuresBeforeGivingUp) return undefined;
        const response = await read();
        failuresInRow = 0;
        return response;
      } catch (error) {
        options.signal?.throwIfAborted();
        failuresInRow++;
        lastFailure = messageOf(error);
        return undefined;
      } finally {
        release();
      }
    },
  };
}

/**
 * Maps the uuid of each host without local disks to the provider that shares storage with it. Adds inventories and
 * allocations of these providers to those of the hosts. Storage with unknown allocations is left out, so nothing is
 * placed on it.
 */
async function readSharedDisks(
  placement: PlacementPort,
  { inventories, allocations }: Read,
  reads: ReturnType<typeof createReads>,
  options: CloudCallOptions,
): Promise<Map<string, string>> {
  const sharedDisks = new Map<string, string>();
  const diskless = [...inventories].flatMap(([uuid, own]) => (own === null || own[diskClass] ? [] : [uuid]));
  const sharing = diskless.length === 0 ? [] : await reads.attempt(() => placement.listSharingProviders(options));
  for (const { uuid, members } of sharing ?? []) {
    const users = members.filter((member) => diskless.includes(member));
    const inventory = users.length === 0 ? null : await reads.attempt(() => placement.getInventories(uuid, options));
    if (!inventory?.[diskClass]) continue;
    const consumers = await reads.attempt(() => placement.getAllocations(uuid, options));
    if (!consumers) continue;
    inventories.set(uuid, inventory);
    allocations.set(uuid, consumers);
    for (const hypervisor of users) sharedDisks.set(hypervisor, uuid);
  }
  return sharedDisks;
}

/** Responses by uuid of the provider. Null when there is none. */
interface Read {
  inventories: Map<string, Awaited<ReturnType<PlacementPort['getInventories']>>>;
  allocations: Map<string, Awaited<ReturnType<PlacementPort['getAllocations']>>>;
}

/**
 * Reads inventories and allocations of every host, and traits when a flavor requires one. Sends a few requests per
 * host, at most `concurrency` at a time. Reads also shared storage for hosts without local disks. A host that cannot
 * be read is a gap and no error. Rejects only when the signal fires.
 */
export async function readPlacement(
  placement: PlacementPort,
  hypervisors: readonly Hypervisor[],
  { concurrency, withTraits, ...options }: CloudCallOptions & { concurrency: number; withTraits: boolean },
): Promise<PlacementListings> {
  const inventories: Read['inventories'] = new Map();
  const allocations: Read['allocations'] = new Map();
  const traits = new Map<string, string[]>();
  const withoutTraits: string[] = [];
  const reads = createReads(concurrency, options);

  await Promise.all(
    hypervisors.map(async ({ uuid, serviceHost }) => {
      const [inventory, consumers, provided] = await Promise.all([
        reads.attempt(() => placement.getInventories(uuid, options)),
        reads.attempt(() => placement.getAllocations(uuid, options)),
        withTraits ? reads.attempt(() => placement.getTraits(uuid, options)) : [],
      ]);
      inventories.set(uuid, inventory ?? null);
      allocations.set(uuid, consumers ?? null);
      if (provided === undefined) withoutTraits.push(serviceHost);
      else traits.set(uuid, provided);
    }),
  );

  const sharedDisks = await readSharedDisks(placement, { inventories, allocations }, reads, options);

  const gaps: string[] = [];
  if (reads.lastFailure() !== '') gaps.push(`Placement could not be read completely: ${reads.lastFailure()}`);
  if (withoutTraits.length > 0) gaps.push(`no traits of ${withoutTraits.length} hosts`);
  return { inventories, allocations, traits, sharedDisks, gaps };
}
