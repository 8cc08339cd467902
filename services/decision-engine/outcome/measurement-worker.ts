import type { Gate } from '#libs/dependencies';
import { type JsonObject, measurementStates, messageOf, type OutcomeMeasurement } from '#libs/domain';
import { type Periodic, type PeriodicOptions, startPeriodic } from '#libs/service-kit';
import type { ActionPlanView, AuditView, MeasurementPhase, PlanMeasurement } from '#libs/store';
import { noTracer, type Tracer } from '#libs/tracing';
import { judgedPromises } from './judged-promises.ts';
import { type MeasureDeps, type Measured, measureOutcome } from './measure-outcome.ts';
import { overlappingPlans } from './overlapping-plans.ts';
import { strategyWindowSeconds } from './strategy-window.ts';

/** Pause between two polls for due measurements, in milliseconds. A message wakes the worker earlier. */
const pollMs = 2000;
/** Pauses after failed attempts, in milliseconds. The last one applies to all further attempts. */
const retryMs: Record<MeasurementPhase, readonly number[]> = {
  before: [3000, 10_000],
  after: [30_000, 120_000, 600_000],
};
/** Number of attempts to measure an effect. */
const mostAttempts = 8;
/** Number of attempts before a plan, which may wait until windows can exclude the last change by another plan. */
const mostWaits = 3;
/** Time of a measurement in addition to its strategy, in milliseconds. */
const modelMs = 60_000;

/** Collaborators of the measurement worker. */
export interface MeasurementDeps extends MeasureDeps {
  /** Nothing is measured while it is closed. Default: always open. */
  gate?: Pick<Gate, 'isOpen'>;
  /** Default: measurements are not traced. */
  tracer?: Tracer;
  loops?: PeriodicOptions['loops'];
}

/** Performs due measurements. */
export interface MeasurementWorker {
  /** Checks now for measurements of this phase. */
  wake(phase: MeasurementPhase): void;
  stop(): Promise<void>;
}

/**
 * Starts the worker that performs due measurements of `plan_measurements`. Each phase has a separate loop, so a plan
 * before its first action does not wait for the effect of another plan. Several engines share the rows.
 */
export function startMeasurementWorker(deps: MeasurementDeps): MeasurementWorker {
  const start = (phase: MeasurementPhase): Periodic =>
    startPeriodic({
      name: `outcome ${phase}`,
      everyMs: pollMs,
      logger: deps.logger,
      loops: deps.loops,
      async run(signal) {
        while (!signal.aborted && deps.gate?.isOpen !== false && (await measureDue(deps, phase)));
      },
    });
  const loops = { before: start('before'), after: start('after') };
  return {
    wake: (phase) => loops[phase].wake(),
    async stop() {
      await Promise.all([loops.before.stop(), loops.after.stop()]);
    },
  };
}

/** Measures the plan that has waited longest. Returns false when none is due. */
export async function measureDue(deps: MeasurementDeps, phase: MeasurementPhase): Promise<boolean> {
  const { store, tracer = noTracer } = deps;
  const due = await store.db.planMeasurements.takeDue(phase, deps.options.strategyTimeLimitMs + modelMs);
  if (due === null) return false;
  const plan = await store.db.actionPlans.find(due.planUuid, { showDeleted: true });
  if (!plan) return true;
  const attributes = { 'vigil.plan': plan.uuid, 'vigil.phase': phase };
  try {
    await tracer.run('measure outcome', { kind: 'consumer', parents: [plan.traceparent], attributes }, async () => {
      const audit = await store.db.audits.get(plan.auditUuid, { showDeleted: true });
      if (phase === 'before') await measureBefore(deps, due, plan, audit);
      else await measureAfter(deps, due, plan, audit);
    });
  } catch (error) {
    deps.signal.throwIfAborted();
    await retryOrGiveUp(deps, due, error);
  }
  return true;
}

async function measureBefore(deps: MeasurementDeps, due: PlanMeasurement, plan: ActionPlanView, audit: AuditView) {
  const at = await deps.store.db.now();
  const measured = await measureOutcome(audit, plan, 'before', at, deps);
  const { reason, settledAt } = measured;
  if (settledAt !== null && due.attempts <= mostWaits && (await wait(deps, due, at, settledAt.getTime()))) return;
  const state = reason === null ? measurementStates.pending : measurementStates.notMeasured;
  const verdict = { state, reason: reason === null ? null : `before: ${reason}`, overlaps: [], dueAt: null };
  await store(deps, due, measured, { before: measured.numbers, measurement: verdict });
}

async function measureAfter(deps: MeasurementDeps, due: PlanMeasurement, plan: ActionPlanView, audit: AuditView) {
  const { db } = deps.store;
  const actions = await db.actions.listByPlan(plan.uuid);
  if (actions.every(({ startedAt }) => startedAt === null)) {
    await giveUp(deps, due, 'the plan started no action');
    return;
  }
  const before = await db.planMeasurements.find(plan.id, 'before');
  const startMs = due.notBefore.getTime();
  const expectedSeconds = before?.windowStart
    ? secondsOf(before)
    : strategyWindowSeconds(deps.registry, plan.strategyName, audit.parameters);
  const at = await db.now();
  if (await wait(deps, due, at, startMs + expectedSeconds * 1000)) return;
  const measured = await measureOutcome(audit, plan, 'after', at, deps);
  // The strategy may have read a longer window than expected. The window must not include the run of the plan.
  const endMs = startMs + (measured.window.end.getTime() - measured.window.start.getTime());
  if (await wait(deps, due, at, endMs)) return;
  const measurement = await verdictOn(deps, plan, before, measured);
  const promises = await judgedPromises(deps.store, plan.id, { measurement, values: measured.values, actions });
  await store(deps, due, measured, { after: measured.numbers, measurement, promises });
}

/** Postpones a measurement whose window has not ended. Returns false when it has ended. */
async function wait(deps: MeasurementDeps, due: PlanMeasurement, at: Date, endMs: number): Promise<boolean> {
  if (at.getTime() >= endMs) return false;
  const dueAt = new Date(endMs);
  await deps.store.transaction(async (unit) => {
    await unit.planMeasurements.putOff(due.planId, due.phase, dueAt);
    const { outcome } = await unit.actionPlans.get(due.planUuid, { showDeleted: true });
    const known = (outcome?.measurement ?? { state: measurementStates.pending, reason: null }) as JsonObject;
    await unit.planMeasurements.note(due.planUuid, { measurement: { ...known, dueAt: dueAt.toISOString() } });
  });
  return true;
}

async function verdictOn(
  { store: { db, planWork } }: MeasurementDeps,
  plan: ActionPlanView,
  before: PlanMeasurement | null,
  after: Measured,
): Promise<OutcomeMeasurement> {
  const start = before?.windowStart ?? (await firstRunOf(db, plan)) ?? after.window.start;
  const overlaps = await overlappingPlans({ db, planWork }, plan, { start, end: after.window.end }, after.hostnames);
  const reason = missingBefore(before, plan) ?? (after.reason === null ? null : `after: ${after.reason}`);
  const { achieved, notAttributable, notMeasured } = measurementStates;
  const state = reason !== null ? notMeasured : overlaps.length > 0 ? notAttributable : achieved;
  return { state, reason, overlaps, dueAt: null };
}

async function firstRunOf(db: MeasurementDeps['store']['db'], plan: ActionPlanView): Promise<Date | null> {
  return (await db.planRuns.list(plan.id))[0]?.startedAt ?? null;
}

function missingBefore(before: PlanMeasurement | null, { outcome }: ActionPlanView): string | null {
  if (before === null) return 'before: the plan ended before its first action, or ran on an earlier release';
  if (before.state !== 'MEASURED') return `before: ${before.reason ?? 'no result'}`;
  const { goal, reason } = (outcome?.before ?? {}) as JsonObject;
  return goal === null ? `before: ${String(reason)}` : null;
}

/** Stores a result. Drops and logs a late one. */
async function store(deps: MeasurementDeps, due: PlanMeasurement, { window }: Measured, patch: object): Promise<void> {
  const isStored = await deps.store.transaction(async (unit) => {
    if (!(await unit.planMeasurements.complete(due.planId, due.phase, window))) return false;
    await unit.planMeasurements.note(due.planUuid, patch as JsonObject);
    return true;
  });
  const fields = { plan: due.planUuid, phase: due.phase };
  if (isStored) deps.logger.info(fields, 'outcome measured');
  else deps.logger.info(fields, 'late measurement discarded');
}

async function retryOrGiveUp(deps: MeasurementDeps, due: PlanMeasurement, error: unknown): Promise<void> {
  const { phase, planId, attempts } = due;
  const reason = messageOf(error);
  deps.logger.warn({ plan: due.planUuid, phase, attempts, error }, 'cannot measure outcome');
  if (attempts >= mostAttempts) return giveUp(deps, due, `${phase}: ${reason}`);
  const pauseMs = retryMs[phase][attempts - 1] ?? (retryMs[phase].at(-1) as number);
  await deps.store.db.planMeasurements.putOff(planId, phase, new Date((await deps.store.db.now()).getTime() + pauseMs));
}

async function giveUp(deps: MeasurementDeps, due: PlanMeasurement, reason: string): Promise<void> {
  const measurement = { state: measurementStates.notMeasured, reason, overlaps: [], dueAt: null };
  const actions = await deps.store.db.actions.listByPlan(due.planUuid);
  const promises = await judgedPromises(deps.store, due.planId, { measurement, values: new Map(), actions });
  const patch: object = due.phase === 'after' ? { measurement, promises } : { measurement };
  await deps.store.transaction(async (unit) => {
    if (!(await unit.planMeasurements.close(due.planId, due.phase, reason))) return;
    await unit.planMeasurements.note(due.planUuid, patch as JsonObject);
  });
}

function secondsOf({ windowStart, windowEnd }: PlanMeasurement): number {
  return windowStart && windowEnd ? (windowEnd.getTime() - windowStart.getTime()) / 1000 : 0;
}
