import { LeaseLostError } from '#libs/domain';
import { keepTrying } from '#libs/service-kit';
import { RunHaltedError, RunHeldError, RunSuspendedError } from '../errors.ts';
import type { PlanRun } from './plan-run.ts';

/** Values of a run that its end needs. */
type HeldPlan = Pick<PlanRun, 'deps' | 'plan' | 'fence' | 'keeper' | 'writes' | 'halt' | 'draining'>;

/**
 * Ends a run before the end of its plan: stores the reason of a wait or a suspension, ends the rest of the run, and
 * releases the lease if this run may.
 * @param error the reason of the run's end
 * @param failing aborted with the error, so no part of the run continues
 */
export async function leavePlan(run: HeldPlan, error: unknown, failing: AbortController): Promise<void> {
  if (error instanceof RunHeldError) await hold(run, error);
  if (error instanceof RunSuspendedError) await suspend(run, error);
  failing.abort(error);
  await giveUp(run, error instanceof RunHeldError ? error : (run.halt.reason ?? error));
}

/** Outcome of a run whose plan has not ended. */
export function outcomeOf(error: unknown): 'LEASE_LOST' | 'RELEASED' | 'BROKEN' {
  if (error instanceof LeaseLostError) return 'LEASE_LOST';
  const isReleased = [RunHaltedError, RunHeldError, RunSuspendedError].some((kind) => error instanceof kind);
  return isReleased ? 'RELEASED' : 'BROKEN';
}

/** Stores why the plan waits. Losing this write is harmless: the next run finds the same reason. */
async function hold({ deps, plan, writes }: HeldPlan, error: RunHeldError): Promise<void> {
  await writes.updatePlan({ holdUntil: error.until, statusMessage: error.message }).catch((cause: unknown) => {
    deps.logger.warn({ plan: plan.uuid, error: cause }, 'cannot store reason of the wait');
  });
}

/** Only an operator can continue the plan. */
async function suspend(
  { deps, plan, fence, keeper, writes }: HeldPlan,
  { message: statusMessage }: RunSuspendedError,
): Promise<void> {
  const set = { statusMessage };
  await keeper
    .ending(() => writes.inTransaction((unit) => unit.actionPlans.transition(plan.uuid, 'hold', { fence, set })))
    .catch((cause: unknown) => {
      deps.logger.warn({ plan: plan.uuid, error: cause }, 'cannot suspend action plan');
    });
}

async function giveUp(run: HeldPlan, error: unknown): Promise<void> {
  const { deps, plan, fence, keeper } = run;
  const outcome = outcomeOf(error);
  deps.metrics.planEnded(outcome);
  const fields = { plan: plan.uuid, fence, outcome, error };
  if (outcome === 'BROKEN') deps.logger.error(fields, 'run of action plan failed');
  else deps.logger.info(fields, 'action plan left to another applier');
  if (error instanceof LeaseLostError) {
    deps.metrics.leaseLost();
    if (error.cause !== undefined) void noteOutage(run);
    return;
  }
  try {
    await deps.store.db.planRuns.end(plan.id, fence, outcome);
    // A broken run keeps its lease until it expires, which delays the next try.
    if (outcome === 'RELEASED') await keeper.ending(() => deps.store.db.actionPlans.releaseLease(plan.uuid, fence));
  } catch (cause) {
    deps.logger.info({ plan: plan.uuid, error: cause }, 'cannot release lease; it will expire');
  }
}

/** Once the database is available again, records that it caused the loss of the lease. */
function noteOutage({ deps, plan, fence, draining }: HeldPlan): Promise<void> {
  return keepTrying(() => deps.store.db.planRuns.end(plan.id, fence, 'LEASE_LOST'), {
    signal: draining,
    onFailure: (error, tries) => deps.logger.info({ plan: plan.uuid, tries, error }, 'cannot record lost lease yet'),
  });
}
