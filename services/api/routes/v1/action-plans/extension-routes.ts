import type { FastifyInstance } from 'fastify';
import type { ActionPlanView, ActionView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { authorizedRow, findRow, type ResourceDefinition, showOne } from '../../../collections/register-collection.ts';
import { durationBody, type PlanDuration } from '../../../durations/plan-durations.ts';
import { onceByKey } from '../../../http/request/idempotency.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { timestamp } from '../../../http/watcher-text/timestamps.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { outcomeFields, planProgress } from '../../../views/action-plan-body.ts';
import { registerApprovalRoutes } from './approval/approval-routes.ts';
import { stalenessBody } from './check-staleness.ts';
import { registerCommentRoutes } from './comments/comment-routes.ts';
import { controlActionPlan, type PlanControl } from './control-action-plan.ts';
import { previewActionPlan } from './preview/preview-action-plan.ts';
import { registerRollbackRoutes } from './rollback/rollback-routes.ts';
import { cutOf } from './whole-step-budget.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'action_plans';
const params = { ident: 'Uuid.' };

const summaries: Record<PlanControl, string> = {
  pause: 'Start no further action (extension)',
  resume: 'Continue after a pause (extension)',
  abort: 'Cancel, and abort running actions (extension)',
};

/** Routes that Watcher does not have: preview, outcome, timeline, comments, pause, resume, abort and rollback. */
export function registerActionPlanExtensions(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
): void {
  const outcomeSchema = describe({
    tag,
    operationId: 'get_action_plan_outcome',
    summary: 'Failure policy, control, rollback and measured efficacy (extension)',
    params,
    response: 'ActionPlanOutcome',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/outcome', { schema: outcomeSchema }, async (request) => {
    const plan = await authorizedRow(deps, resource, request, 'action_plan:get');
    const filters = [
      { field: 'actionPlanId' as const, value: plan.id },
      { field: 'endReason' as const, value: 'budget' },
    ];
    const [leftOut, counts] = await Promise.all([
      deps.store.db.actions.list({ filters, sortKey: 'id' }),
      deps.store.db.actions.countStates([plan.id]),
    ]);
    return {
      action_plan_uuid: plan.uuid,
      ...outcomeFields(plan),
      progress: planProgress(counts),
      cut: cutOf(plan, leftOut),
    };
  });
  const previewSchema = describe({
    tag,
    operationId: 'get_action_plan_preview',
    summary: 'Hosts before and after, order, estimated duration, rollback (extension)',
    params,
    response: 'ActionPlanPreview',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/preview', { schema: previewSchema }, async (request) => {
    for (const rule of ['action:get_all', 'data_model:get_all']) authorize(deps.policy, request, rule);
    return previewActionPlan(deps, await authorizedRow(deps, resource, request, 'action_plan:get'));
  });
  const durationSchema = describe({
    tag,
    operationId: 'get_action_plan_duration',
    summary: 'Expected duration of the plan and of the rest of it (extension)',
    params,
    response: 'ActionPlanDuration',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/duration', { schema: durationSchema }, async (request) => {
    const plan = await authorizedRow(deps, resource, request, 'action_plan:get');
    const estimate = (await deps.durations.estimate([plan])).get(plan.id) as PlanDuration;
    return { action_plan_uuid: plan.uuid, ...durationBody(estimate) };
  });
  const stalenessSchema = describe({
    tag,
    operationId: 'get_action_plan_staleness',
    summary: 'Changes of the cloud since the creation of the plan, and its current gain (extension)',
    params,
    response: 'ActionPlanStaleness',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/staleness', { schema: stalenessSchema }, async (request) => {
    authorize(deps.policy, request, 'data_model:get_all');
    return stalenessBody(deps, await authorizedRow(deps, resource, request, 'action_plan:get'));
  });
  const timelineSchema = describe({
    tag,
    operationId: 'get_action_plan_timeline',
    summary: 'Start and end times of the started actions (extension)',
    params,
    response: 'ActionPlanTimeline',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/action_plans/:ident/timeline', { schema: timelineSchema }, async (request) => {
    authorize(deps.policy, request, 'action:get_all');
    const plan = await authorizedRow(deps, resource, request, 'action_plan:get');
    return timelineBody(
      plan,
      await deps.store.db.actions.list({ filters: [{ field: 'actionPlanId', value: plan.id }] }),
    );
  });
  for (const control of ['pause', 'resume', 'abort'] as const) registerControl(app, deps, resource, control);
  registerApprovalRoutes(app, deps, resource);
  registerCommentRoutes(app, deps, resource);
  registerRollbackRoutes(app, deps, resource);
}

function registerControl(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
  control: PlanControl,
): void {
  const schema = describe({
    tag,
    operationId: `${control}_action_plan`,
    summary: summaries[control],
    params,
    response: 'ActionPlan',
    refusals: [404, 409, 412, 422],
  });
  app.post<WithIdent>(`/v1/action_plans/:ident/${control}`, { schema }, async (request, reply) => {
    const { uuid } = await authorizedRow(deps, resource, request, 'action_plan:update');
    readOptions(request, [], control);
    return onceByKey(deps.store, request, reply, {
      act: (claim) => controlActionPlan(deps, request, uuid, control, claim),
      find: () => findRow(resource, uuid, true),
      show: (changed) => showOne(resource, request, changed),
    });
  });
}

function timelineBody(plan: ActionPlanView, actions: readonly ActionView[]) {
  const started = actions.flatMap(({ uuid, state, startedAt, endedAt }) =>
    startedAt ? [{ uuid, state, startedAt, endedAt }] : [],
  );
  started.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  return {
    action_plan_uuid: plan.uuid,
    actions: started.map(({ uuid, state, startedAt, endedAt }) => ({
      action_uuid: uuid,
      state,
      started_at: timestamp(startedAt),
      ended_at: timestamp(endedAt),
    })),
  };
}
