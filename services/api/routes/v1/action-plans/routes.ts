import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actionPlanStateTable, actionStateTable, canApply } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import {
  lostDelete,
  refuseWithoutIdent,
  registerDelete,
  registerUpdate,
  requireDeletable,
} from '../../../collections/register-changes.ts';
import { authorizedRow, findRow, registerCollection, showOne } from '../../../collections/register-collection.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { onceByKey } from '../../../http/request/idempotency.ts';
import { refuseOddBody } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { registerActionPlanExtensions } from './extension-routes.ts';
import { createActionPlanResource } from './resource.ts';
import { startActionPlan } from './start-action-plan.ts';
import { updateActionPlan } from './update-action-plan.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'action_plans';
const params = { ident: 'Uuid.' };

/** Reads of action plans, start, cancel and delete, and Vigil's own operations on them. */
export function registerActionPlanRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createActionPlanResource(deps);
  registerCollection(app, deps, resource);
  const startSchema = describe({
    tag,
    operationId: 'start_action_plan',
    summary: 'Execute a recommended plan',
    params,
    body: component('ActionPlanStart'),
    response: 'ActionPlan',
    refusals: [404, 409, 415, 422],
  });
  app.post<WithIdent>('/v1/action_plans/:ident/start', { schema: startSchema }, async (request, reply) => {
    refuseOddBody(request);
    const plan = await authorizedRow(deps, resource, request, 'action_plan:start');
    return onceByKey(deps.store, request, reply, {
      act: (claim) => startActionPlan(deps, request, plan, claim),
      find: (uuid) => findRow(resource, uuid, true),
      show: (started) => showOne(resource, request, started),
    });
  });
  registerUpdate(
    app,
    resource,
    { ...params, summary: 'Start or cancel by changing the state', refusals: [404, 409, 412, 415] },
    (request, ident) => updateActionPlan(deps, request, ident),
  );
  registerDelete(
    app,
    deps,
    resource,
    { ...params, summary: 'Delete with all actions', refusals: [404, 409, 412, 415] },
    (request, plan) => deleteActionPlan(deps, request, plan),
  );
  registerActionPlanExtensions(app, deps, resource);
  refuseWithoutIdent(app, 'action_plan_uuid', [
    ['DELETE', '/v1/action_plans'],
    ['PATCH', '/v1/action_plans'],
    ['POST', '/v1/action_plans/start'],
  ]);
}

/**
 * Deletes a plan with its actions and indicators.
 * @throws ApiFault 400 in a state that does not allow it, 409 after a concurrent change.
 */
async function deleteActionPlan(deps: RouteDeps, request: FastifyRequest, plan: ActionPlanView): Promise<void> {
  requireDeletable(actionPlanStateTable, plan.state);
  await deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, plan.uuid, () => unit.actionPlans.get(plan.uuid));
    await unit.actionPlans.transition(plan.uuid, 'delete').catch(lostDelete);
    await deleteActions(unit, plan);
    const indicators = await unit.efficacyIndicators.list({ filters: [{ field: 'actionPlanId', value: plan.id }] });
    for (const indicator of indicators) await unit.efficacyIndicators.softDelete(indicator.uuid);
    await unit.actionPlans.softDelete(plan.uuid);
  });
}

async function deleteActions(unit: UnitOfWork, plan: ActionPlanView): Promise<void> {
  for (const action of await unit.actions.listByPlan(plan.uuid)) {
    // An action that an applier left unfinished keeps its state, because its effect is unknown.
    if (canApply(actionStateTable, action.state, 'delete')) await unit.actions.transition(action.uuid, 'delete');
    await unit.actions.softDelete(action.uuid);
  }
}
