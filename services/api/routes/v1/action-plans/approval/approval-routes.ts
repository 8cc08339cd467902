import type { FastifyInstance } from 'fastify';
import type { ActionPlanView } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { authorizedRow, findRow, type ResourceDefinition } from '../../../../collections/register-collection.ts';
import { onceByKey } from '../../../../http/request/idempotency.ts';
import { describe } from '../../../../openapi/route-schemas.ts';
import { component } from '../../../../openapi/shared-schemas.ts';
import { approvalBody } from '../../../../views/action-plan-body.ts';
import { approvePlan, refusePlan } from './decide-approval.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'action_plans';
const params = { ident: 'Uuid.' };
const path = '/v1/action_plans/:ident';

const decisions = [
  {
    word: 'approve',
    summary: 'Approve a plan that awaits approval (extension)',
    body: 'ActionPlanApprove',
    decide: approvePlan,
  },
  {
    word: 'refuse',
    summary: 'Refuse a plan that awaits approval; it becomes CANCELLED (extension)',
    body: 'ActionPlanRefuse',
    decide: refusePlan,
  },
] as const;

/** Approval of a plan by a second person: its state, and the decision. */
export function registerApprovalRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
): void {
  const readSchema = describe({
    tag,
    operationId: 'get_action_plan_approval',
    summary: 'Approval of the plan by a second person (extension)',
    params,
    response: 'ActionPlanApproval',
    refusals: [404],
  });
  app.get<WithIdent>(`${path}/approval`, { schema: readSchema }, async (request) =>
    approvalBody(await authorizedRow(deps, resource, request, 'action_plan:get')),
  );
  for (const { word, summary, body, decide } of decisions) {
    const schema = describe({
      tag,
      operationId: `${word}_action_plan`,
      summary,
      params,
      body: component(body),
      response: 'ActionPlanApproval',
      refusals: [404, 409, 415, 422],
    });
    app.post<WithIdent>(`${path}/${word}`, { schema }, async (request, reply) => {
      const plan = await authorizedRow(deps, resource, request, 'action_plan:approve');
      return onceByKey(deps.store, request, reply, {
        act: (claim) => decide(deps, request, plan, claim),
        find: () => findRow(resource, plan.uuid, true),
        show: approvalBody,
      });
    });
  }
}
