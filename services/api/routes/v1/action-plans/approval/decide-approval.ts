import type { FastifyRequest } from 'fastify';
import { type KnownUser, StateConflictError } from '#libs/domain';
import { type ActionPlanView, lockAdmission, type UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { ApiFault, conflict, invalidField } from '../../../../http/faults/fault.ts';
import type { ClaimKey } from '../../../../http/request/idempotency.ts';
import type { CallerIdentity } from '../../../../http/request/request-context.ts';
import { readOptions, textField, wrongType } from '../../../../http/watcher-text/body-fields.ts';
import { approvalBody } from '../../../../views/action-plan-body.ts';
import { acceptHosts, refuseStaleApproval } from '../check-staleness.ts';
import { longestComment } from './approval-schemas.ts';

/** The user of a token in the form that is stored. */
export function knownUser({ userId, userName, projectId, projectName }: CallerIdentity): KnownUser {
  return { userId, userName, projectId, projectName };
}

/**
 * `POST /v1/action_plans/{uuid}/approve`: a second person approves a plan on the hosts of today.
 * @throws ApiFault 403 when the caller requested the plan, 409 when no approval is wanted, or when the plan is stale
 * and `force_stale` is not given.
 */
export async function approvePlan(
  deps: RouteDeps,
  request: FastifyRequest,
  plan: ActionPlanView,
  claim: ClaimKey,
): Promise<ActionPlanView> {
  const body = readOptions(request, ['comment', 'force_stale'], 'approve');
  const comment = commentField(body);
  const force = body.force_stale ?? false;
  if (typeof force !== 'boolean') throw wrongType('force_stale', force, 'bool');
  if (plan.approval !== 'wanted') throw refusal(plan, 'approve');
  await refuseRequester(deps, request, plan);
  const judged = force ? 'forced' : await refuseStaleApproval(deps, plan);
  return deps.store.transaction(async (unit) => {
    const current = await lockPlan(unit, plan, claim);
    await acceptHosts(unit, current, judged);
    return decide(request, unit, current, { event: 'approve', comment });
  });
}

/**
 * `POST /v1/action_plans/{uuid}/refuse`: the plan becomes CANCELLED with the comment as its reason.
 * @throws ApiFault 403 when the caller requested the plan, 409 when it does not wait for approval.
 */
export async function refusePlan(
  deps: RouteDeps,
  request: FastifyRequest,
  plan: ActionPlanView,
  claim: ClaimKey,
): Promise<ActionPlanView> {
  const comment = commentField(readOptions(request, ['comment'], 'refuse'));
  if (comment === null) throw invalidField('comment', null, 'A refusal needs a comment');
  if (plan.approval === null) throw refusal(plan, 'refuse');
  await refuseRequester(deps, request, plan);
  return deps.store.transaction(async (unit) => {
    const current = await lockPlan(unit, plan, claim);
    await decide(request, unit, current, { event: 'refuse', comment });
    const { userName, userId } = request.caller;
    const set = { statusMessage: `Refused by ${userName ?? userId}: ${comment}` };
    const cancelled = await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart', { set });
    await unit.actions.cancelPending(plan.uuid, {});
    return cancelled;
  });
}

/** Starts wait for decisions on approvals, and decisions for each other. */
async function lockPlan(unit: UnitOfWork, { uuid }: ActionPlanView, claim: ClaimKey): Promise<ActionPlanView> {
  await claim(unit, uuid);
  await lockAdmission(unit);
  return unit.actionPlans.get(uuid);
}

async function decide(
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
  { event, comment }: { event: 'approve' | 'refuse'; comment: string | null },
): Promise<ActionPlanView> {
  try {
    const decided = await unit.actionPlans.decideApproval(plan.uuid, event, { by: knownUser(request.caller), comment });
    request.auditChange = { before: approvalBody(plan), after: approvalBody(decided) };
    return decided;
  } catch (error) {
    throw error instanceof StateConflictError ? refusal(plan, event) : error;
  }
}

function refusal({ uuid, state, approval, approvalBy }: ActionPlanView, word: string): ApiFault {
  if (state !== 'RECOMMENDED') return conflict(`Couldn't ${word} when state is '${state}'.`);
  if (approval === null) return conflict(`Couldn't ${word} action plan ${uuid}: it needs no approval.`);
  const by = approvalBy?.userName ?? approvalBy?.userId;
  return conflict(`Couldn't ${word} action plan ${uuid}: its approval was ${approval}${by ? ` by ${by}` : ''}.`);
}

function commentField(body: Parameters<typeof textField>[0]): string | null {
  const comment = textField(body, 'comment')?.trim() || null;
  if (comment !== null && comment.length > longestComment)
    throw invalidField('comment', comment, `Value should have at most ${longestComment} characters`);
  return comment;
}

/** @throws ApiFault 403 when the caller requested the plan, or its requester is not known. */
async function refuseRequester(
  { store }: RouteDeps,
  { caller: { userId } }: FastifyRequest,
  plan: ActionPlanView,
): Promise<void> {
  if (userId === null) throw new ApiFault(403, 'The token names no user, and an approval needs one.');
  const audit = await store.db.audits.find(plan.auditUuid, { showDeleted: true });
  const owner = audit?.autoTrigger ? audit.autoTriggerUser : null;
  const ids = [plan.requester, audit?.requester, owner].flatMap((user) => user?.userId ?? []);
  if (ids.includes(userId)) {
    throw new ApiFault(403, `The user requested action plan ${plan.uuid}; another user has to decide on it.`);
  }
  if (ids.length === 0) {
    throw new ApiFault(
      403,
      `The user who requested action plan ${plan.uuid} is not known, because an earlier release created its audit. ` +
        'Create the audit again.',
    );
  }
}
