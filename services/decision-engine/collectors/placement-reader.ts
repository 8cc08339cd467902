import type { ComputeModelInput } from '#libs/cluster-model';
import { messageOf } from '#libs/domain';
import type { CloudCallOptions, Hypervisor, PlacementPort } from '#libs/openstack';
import { createSemaphore } from '#libs/service-kit';

/** Responses of Placement about the hosts, and the missing ones. */
export type PlacementPicture = Required<
  Pick<ComputeModelInput, 'inventories' | 'allocations' | 'traits' | 'sharedDisks' | 'gaps'>
>;

const diskClass = 'DISK_GB';

/** After so many consecutive failures, the rest is not requested. */
const failuresBeforeGivingUp = 8;

/** Runs reads at most `concurrency` at a time, and stops trying when the service seems to be down. */
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
        const answer = await read();
        failuresInRow = 0;
        return answer;
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
 * By the uuid of a host without local disks, the provider that shares its storage with it, whose inventories and
 * allocations are put beside those of the hosts. Storage of unknown use is left out: nothing is taken of it.
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

/** Returns by the uuid of the provider. Null where there is none. */
interface Read {
  inventories: Map<string, Awaited<ReturnType<PlacementPort['getInventories']>>>;
  allocations: Map<string, Awaited<ReturnType<PlacementPort['getAllocations']>>>;
}

/**
 * Inventories and allocations of every host, and traits when some flavor requests one: a few requests per host, at most
 * `concurrency` at a time. Where hosts have no local disks, also the storage that they share. A host that cannot be
 * read is a gap, never an error. Rejects only when the signal fires.
 */
export async function readPlacement(
  placement: PlacementPort,
  hypervisors: readonly Hypervisor[],
  { concurrency, withTraits, ...options }: CloudCallOptions & { concurrency: number; withTraits: boolean },
): Promise<PlacementPicture> {
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
