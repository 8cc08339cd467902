import { isStale, type PlanStaleness, stalenessText } from '#libs/domain';
import {
  type ActionPlanView,
  areJudged,
  type ChangedHost,
  readPlanAge,
  type Store,
  type UnitOfWork,
} from '#libs/store';
import type { RunnerDeps } from '../runner-deps.ts';
import { statusMessages } from '../status-messages.ts';

/** A plan whose hosts changed after its start, with its gain on the newest model. */
export interface JudgedPlan {
  staleness: PlanStaleness;
  changes: readonly ChangedHost[];
}

/**
 * Ends a plan as SUPERSEDED when its hosts changed after its start and it is stale. A plan that is still valid is
 * bound to the current versions.
 * @param judged null when its gain was not evaluated yet
 * @returns `unjudged` when its gain must be evaluated first
 */
export async function supersedeStale(
  unit: UnitOfWork,
  plan: ActionPlanView,
  judged: JudgedPlan | null,
): Promise<'holds' | 'superseded' | 'unjudged'> {
  if (plan.forceStale) return 'holds';
  const { changes } = await readPlanAge(unit, plan);
  if (changes.length === 0) return 'holds';
  if (judged === null || !areJudged(changes, judged.changes)) return 'unjudged';
  if (!isStale(judged.staleness)) {
    await unit.planHolds.accept(plan.id);
    return 'holds';
  }
  const statusMessage = statusMessages.stale(stalenessText(judged.staleness));
  await unit.actionPlans.transition(plan.uuid, 'supersede', { set: { statusMessage } });
  await unit.actions.cancelPending(plan.uuid, { statusMessage });
  await runAuditAgain(unit, plan);
  return 'superseded';
}

/** Evaluates a plan outside of a transaction, within the time limit of the request. */
export async function judgePlan(
  store: Pick<Store, 'db'>,
  requestGain: RunnerDeps['requestGain'],
  planUuid: string,
): Promise<JudgedPlan> {
  const { age, changes } = await readPlanAge(store.db, await store.db.actionPlans.get(planUuid));
  return { staleness: { ...age, ...(await requestGain(planUuid)) }, changes };
}

/** A CONTINUOUS audit plans again immediately. */
async function runAuditAgain(unit: UnitOfWork, plan: ActionPlanView): Promise<void> {
  const audit = await unit.audits.find(plan.auditUuid);
  if (audit?.auditType !== 'CONTINUOUS' || audit.state !== 'ONGOING' || audit.nextRunTime === null) return;
  await unit.audits.update(audit.uuid, { nextRunTime: await unit.now() });
}
