import { type JsonObject, measurementStates } from '#libs/domain';
import type { ActionView, PlanMeasurement, UnitOfWork } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { wait } from '../wait.ts';
import { measureOutcome } from './end-message.ts';

const engineName = 'watcher-decision-engine';

/** Age in milliseconds after which the measurement of a held plan without a started action is repeated. */
const freshMs = 300_000;
const pollMs = 250;

/**
 * Waits until a decision engine has measured the cloud ahead of the first action of a plan, `options.beforeLimitMs` at
 * most. Then it closes the measurement, so that a later result is refused. The plan runs in either case. After the
 * start of the first action nothing is measured. Without a live decision engine the plan does not wait.
 */
export async function measureBefore(run: PlanRun, actions: readonly ActionView[]): Promise<void> {
  if (actions.some(({ startedAt }) => startedAt !== null)) {
    await close(run, 'the first action had already started');
    return;
  }
  const measurement = await request(run);
  if (measurement.state !== 'DUE') return;
  let isEngineAlive = true;
  while (!run.draining.aborted && !run.watch.cancelRequested) {
    const { state, isLate } = (await find(run)) ?? measurement;
    if (state !== 'DUE') return;
    isEngineAlive = await hasEngine(run);
    if (isLate || !isEngineAlive) break;
    await wait(pollMs, run.halt);
  }
  // Another applier continues to wait, until the same deadline.
  if (run.draining.aborted) return;
  if (run.watch.cancelRequested) await close(run, 'the plan was cancelled before its first action');
  else await close(run, isEngineAlive ? lateReason(run) : 'no decision engine was running before the first action');
}

/** Whether a decision engine sent a heartbeat within `service_down_time`. */
async function hasEngine(run: PlanRun): Promise<boolean> {
  const engines = await run.writes.persist(() =>
    run.deps.store.db.services.list({ filters: [{ field: 'name', value: engineName }] }),
  );
  return engines.some(({ status }) => status === 'ACTIVE');
}

function lateReason({ options }: PlanRun): string {
  if (options.beforeLimitMs === 0) return 'measuring before plans is switched off (VIGIL_OUTCOME_BEFORE_SECONDS is 0)';
  return `no decision engine measured the cloud within ${Math.round(options.beforeLimitMs / 1000)} s before the first action`;
}

function find(run: PlanRun): Promise<PlanMeasurement | null> {
  return run.writes.persist(() => run.deps.store.db.planMeasurements.find(run.plan.id, 'before'));
}

/** The due measurement, or the one that has just ended. */
async function request(run: PlanRun): Promise<PlanMeasurement> {
  const known = await find(run);
  const isOld = known?.endedAt != null && run.clock.now() - known.endedAt.getTime() > freshMs;
  if (known !== null && !isOld) return known;
  const { plan, options, deps } = run;
  let requested: PlanMeasurement | null = null;
  await run.writes.updateFenced(async (unit) => {
    requested = await unit.planMeasurements.request(plan.id, 'before', { limitMs: options.beforeLimitMs, again: true });
    if (options.beforeLimitMs > 0) await unit.outbox.add(measureOutcome(plan.uuid, 'before', deps.newUuid));
    await note(unit, run, { state: measurementStates.measuring, reason: null });
  });
  return requested ?? Promise.reject(new TypeError('a fenced write returned before its work'));
}

/** Ends a measurement that is still due. A finished measurement stays. */
async function close(run: PlanRun, reason: string): Promise<void> {
  await run.writes.updateFenced(async (unit) => {
    const isClosed = await unit.planMeasurements.close(run.plan.id, 'before', reason);
    if (isClosed) await note(unit, run, { state: measurementStates.notMeasured, reason: `before: ${reason}` });
  });
}

function note(unit: UnitOfWork, run: PlanRun, measurement: JsonObject): Promise<void> {
  return unit.planMeasurements.note(run.plan.uuid, { measurement });
}
