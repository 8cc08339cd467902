import { actionCatalogue, planRollback, type RevertStep } from '#libs/actions';
import type { ActionPlanState, JsonObject, Revertibility } from '#libs/domain';
import type { ActionPlanView, ActionView, UnitOfWork } from '#libs/store';

/** An action of an ended plan with the state of its rollback. */
export interface UndoableAction extends ActionView {
  journal: { intent: JsonObject; result: JsonObject | null } | null;
  isUndone: boolean;
  /** Action of the newest rollback plan that undoes it. */
  undoneBy: ActionView | null;
}

/** Reversibility of an ended plan, and the progress of its rollback. */
export interface Rollback {
  steps: RevertStep<UndoableAction>[];
  /** Reversibility of the remaining actions: that of the least reversible one. Null when none remain. */
  verdict: Revertibility | null;
  /** The newest plan that undoes this one. */
  plan: ActionPlanView | null;
  /** Why it cannot be rolled back now. Null when it can. `conflict`: another rollback is in progress. */
  refusal: { kind: 'state' | 'conflict' | 'nothing'; text: string } | null;
}

type Tables = Pick<UnitOfWork, 'actionPlans' | 'actions' | 'actionAttempts' | 'actionDescriptions'>;

const ended: readonly ActionPlanState[] = ['SUCCEEDED', 'FAILED', 'CANCELLED'];
const open: readonly ActionPlanState[] = ['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'];

/**
 * Reads the reversibility of `plan`. It does not call the cloud: each action is checked against the cloud when it is
 * undone.
 */
export async function readRollback(tables: Tables, plan: ActionPlanView): Promise<Rollback> {
  // Plans before their actions: actions of an ended plan no longer change.
  const undoing = await tables.actionPlans.list({
    filters: [{ field: 'rollsBack', value: plan.uuid }],
    showDeleted: true,
    sortKey: 'id',
  });
  const attempts = new Map(
    (await tables.actionAttempts.latestOfPlan(plan.id)).map((attempt) => [attempt.actionId, attempt]),
  );
  const reverts = await revertsByAction(tables, undoing);
  const actions = (await tables.actions.listByPlan(plan.uuid)).map((action): UndoableAction => {
    const tries = reverts.get(action.uuid) ?? [];
    return {
      ...action,
      journal: attempts.get(action.id) ?? null,
      isUndone: action.rollbackState === 'SUCCEEDED' || tries.some(({ state }) => state === 'SUCCEEDED'),
      undoneBy: tries.at(-1) ?? null,
    };
  });
  const descriptions = await tables.actionDescriptions.list();
  const revertible = new Map(descriptions.map((row) => [row.actionType, row.revertible]));
  const steps = planRollback(actions, {
    plugins: actionCatalogue,
    revertibleOf: (type) => revertible.get(type) ?? null,
  });
  const newest = undoing.filter(({ deleted }) => deleted === 0).at(-1) ?? null;
  return { steps, verdict: worstOf(steps), plan: newest, refusal: refusalOf(plan, newest, steps) };
}

async function revertsByAction(
  tables: Pick<UnitOfWork, 'actions'>,
  plans: readonly ActionPlanView[],
): Promise<Map<string, ActionView[]>> {
  const found = new Map<string, ActionView[]>();
  if (plans.length === 0) return found;
  const rows = await tables.actions.list({
    filters: [{ field: 'actionPlanId', op: 'in', value: plans.map(({ id }) => id) }],
    showDeleted: true,
    sortKey: 'id',
  });
  for (const row of rows) {
    const uuid = String(row.inputParameters.action_uuid);
    found.set(uuid, [...(found.get(uuid) ?? []), row]);
  }
  return found;
}

const worstFirst: readonly Revertibility[] = ['impossible', 'best-effort', 'exact'];

function worstOf(steps: readonly RevertStep<UndoableAction>[]): Revertibility | null {
  const left = steps.filter(({ action }) => !action.isUndone);
  return worstFirst.find((verdict) => left.some((step) => step.verdict === verdict)) ?? null;
}

function refusalOf(
  plan: ActionPlanView,
  newest: ActionPlanView | null,
  steps: readonly RevertStep<UndoableAction>[],
): Rollback['refusal'] {
  if (!ended.includes(plan.state)) {
    return { kind: 'state', text: `Couldn't roll back when state is '${plan.state}'.` };
  }
  if (newest && open.includes(newest.state)) {
    const text = `Action plan ${plan.uuid} is being rolled back by action plan ${newest.uuid}, which is ${newest.state}`;
    return { kind: 'conflict', text };
  }
  if (steps.every(({ waitsFor }) => waitsFor === null)) {
    return { kind: 'nothing', text: `Nothing of action plan ${plan.uuid} can be undone` };
  }
  return null;
}
