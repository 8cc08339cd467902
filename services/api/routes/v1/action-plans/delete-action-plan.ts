import type { FastifyRequest } from 'fastify';
import { actionPlanStateTable, actionStateTable, canApply, StateConflictError } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { requireMatch } from '../../../http/etag.ts';
import { badRequest, conflict } from '../../../http/fault.ts';

/**
 * Deletes a plan with its actions and indicators.
 * @throws ApiFault 400 in a state that does not allow it, 409 when somebody else has changed it at this moment.
 */
export async function deleteActionPlan(deps: RouteDeps, request: FastifyRequest, plan: ActionPlanView): Promise<void> {
  const refusal = (state: string | null) => `Couldn't delete when state is '${state}'.`;
  if (!canApply(actionPlanStateTable, plan.state, 'delete')) throw badRequest(refusal(plan.state));
  await deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, plan.uuid, () => unit.actionPlans.get(plan.uuid));
    await unit.actionPlans.transition(plan.uuid, 'delete').catch((error: unknown) => {
      throw error instanceof StateConflictError ? conflict(refusal(error.currentState)) : error;
    });
    await deleteActions(unit, plan);
    const indicators = await unit.efficacyIndicators.list({ filters: [{ field: 'actionPlanId', value: plan.id }] });
    for (const indicator of indicators) await unit.efficacyIndicators.softDelete(indicator.uuid);
    await unit.actionPlans.softDelete(plan.uuid);
  });
}

async function deleteActions(unit: UnitOfWork, plan: ActionPlanView): Promise<void> {
  for (const action of await unit.actions.listByPlan(plan.uuid)) {
    // An action that an applier left unfinished keeps its state: what it did is not known.
    if (canApply(actionStateTable, action.state, 'delete')) await unit.actions.transition(action.uuid, 'delete');
    await unit.actions.softDelete(action.uuid);
  }
}
