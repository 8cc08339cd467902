import type { ActionAttemptJournal, IdSource, JsonObject } from '#libs/domain';
import { PlanHeldError } from '../errors.ts';
import type { ActionPlanView, ActionView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';
import { admitPlan } from './admit-plan.ts';

/** An action of a plan that has ended. */
export interface EndedAction extends ActionView {
  /** Journal of its last attempt. Null without an attempt. */
  journal: ActionAttemptJournal | null;
  isUndone: boolean;
}

/** Rules for a plan that undoes actions of an ended plan without a user's request. */
export interface RevertRules {
  statusMessage(formerUuid: string): string;
  /** The actions of the new plan. They do not wait for each other. */
  revertsOf(ended: readonly EndedAction[]): { actionType: string; inputParameters: JsonObject; summary: string }[];
  /** Names of the hosts that actions use. */
  hostsOf(actions: readonly ActionView[]): string[];
}

/**
 * Stores a plan that undoes actions of an ended plan, and starts it in the same transaction. The poller of an applier
 * claims it. The new plan stays RECOMMENDED while another started plan holds one of its hosts. Call it in the
 * transaction that ends the plan.
 * @returns its uuid, null when there is nothing to undo
 */
export async function startRevertPlan(
  unit: UnitOfWork,
  former: ActionPlanView,
  { statusMessage, revertsOf, hostsOf }: RevertRules,
  newUuid: IdSource,
): Promise<string | null> {
  const attempts = await unit.actionAttempts.latestOfPlan(former.id);
  const journals = new Map(attempts.map((attempt) => [attempt.actionId, attempt]));
  const rows = await unit.actions.listByPlan(former.uuid);
  const ended = rows.map((row) => ({
    ...row,
    journal: journals.get(row.id) ?? null,
    isUndone: row.rollbackState === 'SUCCEEDED',
  }));
  const reverts = revertsOf(ended);
  if (reverts.length === 0) return null;
  const plan = await unit.actionPlans.insert({
    uuid: newUuid(),
    auditId: former.auditId,
    strategyId: former.strategyId,
    statusMessage: statusMessage(former.uuid),
    rollsBack: former.uuid,
  });
  await unit.actions.insertMany(
    reverts.map(({ summary, ...action }) => ({
      ...action,
      uuid: newUuid(),
      actionPlanId: plan.id,
      parents: [],
      reason: { rule: 'rollback', summary, values: [], rejected: [] },
    })),
  );
  if (await isAdmitted(unit, plan, hostsOf)) {
    await unit.actionPlans.transition(plan.uuid, 'start', { set: { launchSeq: 1 } });
  }
  return plan.uuid;
}

async function isAdmitted(unit: UnitOfWork, plan: ActionPlanView, hostsOf: RevertRules['hostsOf']): Promise<boolean> {
  try {
    await admitPlan(unit, plan, async (uuid) => hostsOf(await unit.actions.listByPlan(uuid)));
    return true;
  } catch (error) {
    if (error instanceof PlanHeldError) return false;
    throw error;
  }
}
