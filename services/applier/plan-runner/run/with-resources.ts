import { startPeriodic } from '#libs/service-kit';
import type { ActionView } from '#libs/store';
import { slotsOf } from '../limits/plan-slots.ts';
import type { PlanRun } from '../plan-run.ts';
import { wait } from '../wait.ts';

/** Pause between two tries for slots of other processes, in milliseconds. */
const retryMs = 500;

export interface ResourceUse {
  action: ActionView;
  /** Names that the action occupies. See `occupiedBy`. */
  names: readonly string[];
  /** Called while waiting. False ends the wait. */
  mayWait(): boolean;
  /** Continues regardless of the limits: for operations that already run. */
  force?: boolean;
}

/**
 * Runs `work` while the action holds its slots in the limits across processes. Therefore plans of different appliers
 * neither act on the same instance nor overload a host. The action is the holder, so a successor keeps the slots of a
 * lost run. @returns null when it gave up waiting.
 */
export async function withResources<Result>(
  run: PlanRun,
  use: ResourceUse,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (use.names.length === 0) return work();
  if (!(await acquire(run, use))) return null;
  const holder = use.action.uuid;
  const keeping = startPeriodic({
    name: 'places in limits',
    everyMs: run.options.leaseTtlMs / 3,
    immediately: false,
    run: () => run.deps.store.db.slots.renew([holder], run.options.leaseTtlMs),
    logger: run.deps.logger,
  });
  try {
    return await work();
  } finally {
    await keeping.stop();
    await release(run, holder);
  }
}

async function acquire(run: PlanRun, use: ResourceUse): Promise<boolean> {
  const slots = slotsOf(use.names, run.options.limits);
  const options = { ttlMs: run.options.leaseTtlMs, force: use.force };
  for (;;) {
    if (await run.writes.persist(() => run.deps.store.db.slots.acquire(use.action.uuid, slots, options))) return true;
    if (!use.mayWait()) return false;
    run.deps.logger.debug(
      { plan: run.plan.uuid, action: use.action.uuid },
      'resources occupied by other actions, waiting',
    );
    await wait(retryMs, run.halt);
  }
}

/** A lost run releases no slots, because its successor owns them. Slots that cannot be released expire. */
async function release(run: PlanRun, holder: string): Promise<void> {
  if (run.halt.aborted) return;
  await run.deps.store.db.slots.release(holder).catch((error: unknown) => {
    run.deps.logger.info({ action: holder, error }, 'cannot release places in limits; they will expire');
  });
}
