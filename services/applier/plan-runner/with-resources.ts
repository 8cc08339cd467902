import { startPeriodic } from '#libs/service-kit';
import type { PlanRun } from './plan-run.ts';
import { wait } from './wait.ts';

/** Kind of occupied names that no two plans may act on at once, wherever they run. */
const exclusiveKind = 'resource:';
/** Pause between two tries for a resource that another plan holds, in milliseconds. */
const retryMs = 500;

export interface ResourceUse {
  /** What the action occupies; see `ActionPlugin.occupies`. */
  names: readonly string[];
  /** Asked while waiting; false gives up. */
  mayWait(): boolean;
  /** Goes on without what another plan holds: for operations that run already. */
  force?: boolean;
}

/**
 * Does `work` while the plan holds named leases on what the action acts upon, so that plans of different processes never
 * act on the same instance or service. The plan is the holder: a successor takes over what a lost run left.
 * @returns null when it gave up waiting.
 */
export async function withResources<Answer>(
  run: PlanRun,
  use: ResourceUse,
  work: () => Promise<Answer>,
): Promise<Answer | null> {
  const leases = use.names.filter((name) => name.startsWith(exclusiveKind)).map((name) => `action:${name}`);
  // Always in the same order, so that two plans can not wait for each other.
  leases.sort();
  const held: { resource: string; fence: number }[] = [];
  const keeping = startPeriodic({
    name: 'resource leases',
    everyMs: run.options.leaseTtlMs / 3,
    immediately: false,
    run: () => renew(run, held),
    logger: run.deps.logger,
  });
  try {
    for (const resource of leases) {
      const fence = await acquire(run, resource, use);
      if (fence === null && !use.force) return null;
      if (fence !== null) held.push({ resource, fence });
    }
    return await work();
  } finally {
    await keeping.stop();
    await release(run, held);
  }
}

async function acquire(run: PlanRun, resource: string, use: ResourceUse): Promise<number | null> {
  for (;;) {
    const lease = await run.writes.persist(() =>
      run.deps.store.db.leases.acquire(resource, run.plan.uuid, run.options.leaseTtlMs),
    );
    if (lease) return lease.fence;
    if (use.force || !use.mayWait()) return null;
    run.deps.logger.debug({ plan: run.plan.uuid, resource }, 'another plan acts on it, waiting');
    await wait(retryMs, run.halt);
  }
}

async function renew(run: PlanRun, held: readonly { resource: string; fence: number }[]): Promise<void> {
  for (const { resource, fence } of held) {
    await run.deps.store.db.leases.renew(resource, fence, run.options.leaseTtlMs);
  }
}

/** A lost run releases nothing: the lease is its successor's. What can not be released expires. */
async function release(run: PlanRun, held: readonly { resource: string; fence: number }[]): Promise<void> {
  if (run.halt.aborted) return;
  for (const { resource, fence } of held) {
    await run.deps.store.db.leases.release(resource, fence).catch((error: unknown) => {
      run.deps.logger.warn({ resource, error }, 'lease on a resource could not be released and will expire');
    });
  }
}
