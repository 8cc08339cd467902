import type { Handler } from '#libs/messaging';
import type { MeasurementPhase, Store } from '#libs/store';
import type { MeasurementWorker } from './measurement-worker.ts';

/** Time limit of a measurement that an applier of an earlier release requested, in milliseconds. */
const limitMs = 7 * 24 * 3_600_000;

/**
 * Handles `outcome.measure`: wakes the worker, which reads the due measurements from the database. Appliers of earlier
 * releases only send the message: their measurement after a plan becomes due here. Their measurement before a plan is
 * skipped, because such an applier does not wait for it.
 */
export function createOutcomeHandler({
  store,
  worker,
}: {
  store: Store;
  worker: Pick<MeasurementWorker, 'wake'>;
}): Handler {
  return async ({ body }) => {
    const phase: MeasurementPhase = body.phase === 'before' ? 'before' : 'after';
    const plan = phase === 'after' ? await store.db.actionPlans.find(String(body.plan_uuid)) : null;
    if (plan) await store.db.planMeasurements.request(plan.id, 'after', { limitMs });
    worker.wake(phase);
    return { kind: 'ack' };
  };
}
