import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotFoundError } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { type ActionPlanView, maxPlanComments, type PlanComment } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { authorize } from '../../../../auth/policy.ts';
import { authorizedRow, type ResourceDefinition } from '../../../../collections/register-collection.ts';
import { conflict } from '../../../../http/faults/fault.ts';
import { type ClaimKey, onceByKey } from '../../../../http/request/idempotency.ts';
import { timestamp } from '../../../../http/watcher-text/timestamps.ts';
import { describe } from '../../../../openapi/route-schemas.ts';
import { component } from '../../../../openapi/shared-schemas.ts';
import { knownUser } from '../approval/decide-approval.ts';
import { readCommentText } from './read-comment-text.ts';

type WithIdent = { Params: { ident: string } };
const docs = { tag: 'action_plans', params: { ident: 'Uuid.' } };
const path = '/v1/action_plans/:ident/comments';

/** Comments of users on a plan: reading all, and writing one. A comment is never changed. */
export function registerCommentRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
): void {
  const list = describe({
    ...docs,
    operationId: 'list_action_plan_comments',
    summary: 'Comments of users on the plan, newest last (extension)',
    response: 'ActionPlanComments',
    refusals: [404],
  });
  app.get<WithIdent>(path, { schema: list }, async (request) => {
    const plan = await readablePlan(deps, resource, request, 'action_plan:get_comments');
    const comments = await deps.store.db.planComments.list(plan.id);
    return { action_plan_uuid: plan.uuid, comments: comments.map(commentBody) };
  });
  const create = describe({
    ...docs,
    operationId: 'create_action_plan_comment',
    summary: 'Write a comment on the plan (extension)',
    body: component('ActionPlanCommentCreate'),
    response: 'ActionPlanComment',
    status: 201,
    refusals: [404, 409, 415, 422],
  });
  app.post<WithIdent>(path, { schema: create }, async (request, reply) => {
    const plan = await readablePlan(deps, resource, request, 'action_plan:comment');
    const text = readCommentText(request);
    return onceByKey(deps.store, request, reply, {
      act: (claim) => addComment(deps, request, { plan, text }, claim),
      find: async (uuid) => {
        const comment = await deps.store.db.planComments.find(uuid);
        if (comment === null) throw new NotFoundError('ActionPlanComment', uuid);
        return comment;
      },
      show: (comment) => {
        reply.code(201);
        return commentBody(comment);
      },
    });
  });
}

/** A plan whose comments may be used. The rule of reading the plan applies as well. */
function readablePlan(
  deps: RouteDeps,
  resource: ResourceDefinition<ActionPlanView>,
  request: FastifyRequest<WithIdent>,
  rule: string,
): Promise<ActionPlanView> {
  authorize(deps.policy, request, rule);
  return authorizedRow(deps, resource, request, 'action_plan:get');
}

/** @throws ApiFault 409 when the plan has all the comments that it may have, NotFoundError when it was deleted. */
function addComment(
  { store }: RouteDeps,
  request: FastifyRequest,
  { plan, text }: { plan: ActionPlanView; text: string },
  claim: ClaimKey,
): Promise<PlanComment> {
  return store.transaction(async (unit) => {
    const uuid = newUuid();
    await claim(unit, uuid);
    const comment = await unit.planComments.add(plan.id, { uuid, text, author: knownUser(request.caller) });
    if (comment === null) {
      await unit.actionPlans.get(plan.uuid);
      throw conflict(`Action plan ${plan.uuid} has ${maxPlanComments} comments, and no more are kept.`);
    }
    request.auditChange = { before: null, after: commentBody(comment) };
    return comment;
  });
}

function commentBody({ uuid, planUuid, text, author: { userId, userName }, createdAt }: PlanComment) {
  const isKnown = userId !== null || userName !== null;
  return {
    uuid,
    action_plan_uuid: planUuid,
    text,
    author: isKnown ? { user_id: userId, user_name: userName } : null,
    created_at: timestamp(createdAt),
  };
}
