import type { FastifyInstance } from 'fastify';
import type { ActionPlanView } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { authorize } from '../../../../auth/policy.ts';
import {
  authorizedRow,
  findRow,
  type ResourceDefinition,
  showOne,
} from '../../../../collections/register-collection.ts';
import { onceByKey } from '../../../../http/request/idempotency.ts';
import { refuseOddBody } from '../../../../http/watcher-text/json-body.ts';
import { describe } from '../../../../openapi/route-schemas.ts';
import { component } from '../../../../openapi/shared-schemas.ts';
import { type Rollback, readRollback } from './read-rollback.ts';
import { startRollback } from './start-rollback.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'action_plans';
const params = { ident: 'Uuid.' };
const path = '/v1/action_plans/:ident/rollback';

/** Rollback of an ended plan: its preview, and its start. */
export function registerRollbackRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
): void {
  const showSchema = describe({
    tag,
    operationId: 'get_action_plan_rollback',
    summary: 'Reversibility of an ended plan, and the progress of its rollback (extension)',
    params,
    response: 'ActionPlanRollback',
    refusals: [404],
  });
  app.get<WithIdent>(path, { schema: showSchema }, async (request) => {
    authorize(deps.policy, request, 'action:get_all');
    const plan = await authorizedRow(deps, resource, request, 'action_plan:get');
    return rollbackBody(plan, await readRollback(deps.store.db, plan));
  });
  const startSchema = describe({
    tag,
    operationId: 'rollback_action_plan',
    summary: 'Roll back an ended plan by a separate plan, which is started (extension)',
    params,
    body: component('ActionPlanRollbackStart'),
    response: 'ActionPlan',
    status: 201,
    refusals: [404, 409, 415, 422],
  });
  app.post<WithIdent>(path, { schema: startSchema }, async (request, reply) => {
    refuseOddBody(request);
    const plan = await authorizedRow(deps, resource, request, 'action_plan:start');
    return onceByKey(deps.store, request, reply, {
      act: (claim) => startRollback(deps, request, plan, claim),
      find: (uuid) => findRow(resource, uuid, true),
      show(started) {
        reply.code(201).header('Location', `${request.base.app}/v1/action_plans/${started.uuid}`);
        return showOne(resource, request, started);
      },
    });
  });
}

function rollbackBody(plan: ActionPlanView, { steps, verdict, plan: newest, refusal }: Rollback): object {
  return {
    action_plan_uuid: plan.uuid,
    possible: refusal === null,
    reason: refusal?.text ?? null,
    verdict,
    rolls_back: plan.rollsBack,
    rollback_plan_uuid: newest?.uuid ?? null,
    rollback_plan_state: newest?.state ?? null,
    actions: steps.map(({ action, stage, verdict: each, summary }) => ({
      action_uuid: action.uuid,
      action_type: action.actionType,
      input_parameters: action.inputParameters,
      state: action.state,
      stage,
      verdict: each,
      summary,
      rollback_action_uuid: action.undoneBy?.uuid ?? null,
      rollback_state: action.undoneBy?.state ?? action.rollbackState,
      rollback_message: action.undoneBy?.statusMessage ?? action.rollbackMessage,
    })),
  };
}
