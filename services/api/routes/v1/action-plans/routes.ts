import type { FastifyInstance } from 'fastify';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments, showDeleted } from '../../../collections/query-arguments.ts';
import { registerCollection, showOne } from '../../../collections/register-collection.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest } from '../../../http/fault.ts';
import { snakeCaseKeys } from '../../../http/snake-case.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { deleteActionPlan } from './delete-action-plan.ts';
import { createActionPlanResource, findActionPlan } from './resource.ts';
import { startActionPlan } from './start-action-plan.ts';
import { updateActionPlan } from './update-action-plan.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'action_plans';
const params = { ident: 'Uuid.' };

/** Reads of action plans, start, cancel and delete, and the outcome of the execution. */
export function registerActionPlanRoutes(app: FastifyInstance, deps: RouteDeps): void {
  registerCollection(app, deps, createActionPlanResource(deps));
  registerChanges(app, deps);
  registerOutcome(app, deps);
  for (const [method, path] of [
    ['DELETE', '/v1/action_plans'],
    ['POST', '/v1/action_plans/start'],
  ] as const) {
    app.route({
      method,
      url: path,
      schema: { hide: true },
      handler: async () => {
        throw badRequest('Missing argument: "action_plan_uuid"');
      },
    });
  }
}

function registerChanges(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createActionPlanResource(deps);
  const startSchema = describe({
    tag,
    operationId: 'start_action_plan',
    summary: 'Execute a recommended plan',
    params,
    body: component('ActionPlanStart'),
    answer: 'ActionPlan',
    refusals: [404],
  });
  app.post<WithIdent>('/v1/action_plans/:ident/start', { schema: startSchema }, async (request) => {
    queryArguments(request);
    authorize(deps.policy, request, 'action_plan:start');
    const plan = await findActionPlan(deps, request.params.ident);
    return showOne(deps, resource, request, await startActionPlan(deps, request, plan));
  });
  const updateSchema = describe({
    tag,
    operationId: 'update_action_plan',
    summary: 'Start or cancel by changing the state',
    params,
    body: component('Patch'),
    answer: 'ActionPlan',
    refusals: [404, 409, 415],
  });
  app.patch<WithIdent>('/v1/action_plans/:ident', { schema: updateSchema }, async (request) => {
    queryArguments(request);
    return showOne(deps, resource, request, await updateActionPlan(deps, request, request.params.ident));
  });
  const deleteSchema = describe({
    tag,
    operationId: 'delete_action_plan',
    summary: 'Delete with all actions',
    params,
    status: 204,
    refusals: [404],
  });
  app.delete<WithIdent>('/v1/action_plans/:ident', { schema: deleteSchema }, async (request, reply) => {
    queryArguments(request);
    authorize(deps.policy, request, 'action_plan:delete');
    const plan = await findActionPlan(deps, request.params.ident, { showDeleted: showDeleted(request) });
    await deleteActionPlan(deps, plan);
    return reply.code(204).send();
  });
}

function registerOutcome(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag,
    operationId: 'get_action_plan_outcome',
    summary: 'Failure policy, rollback and measured efficacy (extension)',
    params,
    answer: 'ActionPlanOutcome',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/outcome', { schema }, async (request) => {
    queryArguments(request);
    authorize(deps.policy, request, 'action_plan:get');
    const plan = await findActionPlan(deps, request.params.ident, { showDeleted: showDeleted(request) });
    return {
      action_plan_uuid: plan.uuid,
      on_failure: plan.onFailure,
      rollback_state: plan.rollbackState,
      rollback_message: plan.rollbackMessage,
      outcome: snakeCaseKeys(plan.outcome),
    };
  });
}
