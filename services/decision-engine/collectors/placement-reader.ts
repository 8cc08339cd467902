import type { ComputeModelInput } from '#libs/cluster-model';
import { messageOf } from '#libs/domain';
import type { CloudCallOptions, Hypervisor, PlacementPort } from '#libs/openstack';
import { createSemaphore } from '#libs/service-kit';

/** What Placement says of the hosts, and what it did not say. */
export type PlacementPicture = Required<Pick<ComputeModelInput, 'inventories' | 'allocations' | 'traits' | 'gaps'>>;

/** After so many failures without a success in between, the rest is not asked. */
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
 * Inventories and allocations of every host, and traits when some flavor asks for one: a few requests per host, at most
 * `concurrency` at a time. A host that cannot be read is a gap, never an error; rejects only when the signal fires.
 */
export async function readPlacement(
  placement: PlacementPort,
  hypervisors: readonly Hypervisor[],
  { concurrency, withTraits, ...options }: CloudCallOptions & { concurrency: number; withTraits: boolean },
): Promise<PlacementPicture> {
  const inventories = new Map<string, Awaited<ReturnType<PlacementPort['getInventories']>>>();
  const allocations = new Map<string, Awaited<ReturnType<PlacementPort['getAllocations']>>>();
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

  const gaps: string[] = [];
  if (reads.lastFailure() !== '') gaps.push(`Placement could not be read completely: ${reads.lastFailure()}`);
  if (withoutTraits.length > 0) gaps.push(`no traits of ${withoutTraits.length} hosts`);
  return { inventories, allocations, traits, gaps };
}
