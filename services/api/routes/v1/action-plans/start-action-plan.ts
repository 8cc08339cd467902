import type { FastifyRequest } from 'fastify';
import { hostsOfActions } from '#libs/actions';
import { actionPlanStateTable, canApply, type JsonObject, removingActionTypes, StateConflictError } from '#libs/domain';
import { message, planLaunch } from '#libs/messaging';
import { type ActionPlanView, ApprovalWantedError, admitPlan, PlanHeldError, type UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { requireUuid } from '../../../collections/query-arguments.ts';
import { badRequest, conflict, invalidField } from '../../../http/faults/fault.ts';
import type { ClaimKey } from '../../../http/request/idempotency.ts';
import { arrayField } from '../../../http/watcher-text/body-fields.ts';
import { skippedText } from '../actions/update-action.ts';
import { acceptHosts, type JudgedChanges, refuseStale } from './check-staleness.ts';
import { approvalConflict, requireApproval } from './require-approval.ts';
import { readStartBody, readStartOptions, type StartOptions } from './start-options.ts';
import { refuseSmallBudget } from './whole-step-budget.ts';

/**
 * Makes a plan PENDING and writes the message that starts its execution. Call it inside a transaction.
 * @throws ApiFault 409 while another started plan holds one of its hosts, 403 when the plan deletes or shelves
 * instances and the policy does not allow the caller `action_plan:remove_instances`.
 */
export async function launchPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
  { options = {}, judged = [] }: { options?: StartOptions; judged?: JudgedChanges } = {},
): Promise<ActionPlanView> {
  const actions = await unit.actions.listByPlan(plan.uuid);
  if (actions.some(({ actionType, state }) => state === 'PENDING' && removingActionTypes.includes(actionType))) {
    authorize(deps.policy, request, 'action_plan:remove_instances');
  }
  if (plan.state === 'RECOMMENDED') await cancelSiblings(unit, plan);
  await admitPlan(unit, plan, async (uuid) => hostsOfActions(await unit.actions.listByPlan(uuid))).catch(
    (error: unknown) => {
      if (error instanceof ApprovalWantedError) throw approvalConflict(error);
      throw error instanceof PlanHeldError ? conflict(`${error.message}. Start it when that plan has ended.`) : error;
    },
  );
  // No option of a start confirms changes after an approval.
  const confirmed = plan.approval === 'given' ? plan.forceStale : options.forceStale === true || plan.forceStale;
  await acceptHosts(unit, plan, confirmed ? 'forced' : judged);
  const set = { ...options, forceStale: confirmed, launchSeq: plan.launchSeq + 1 };
  const { launchSeq } = set;
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set });
  const body = { plan_uuid: plan.uuid, launch_seq: launchSeq, requested_by: request.caller.userId };
  await unit.outbox.add({ eventId: deps.newUuid(), ...message(planLaunch, body), requestId: request.id });
  return started;
}

/**
 * `POST /v1/action_plans/{uuid}/start`.
 * @throws ApiFault 400 in another state than RECOMMENDED and SUSPENDED, 409 after a concurrent change or when too
 * little of its gain is left, 400 when `max_migrations` allows no whole step.
 */
export async function startActionPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  plan: ActionPlanView,
  claim: ClaimKey,
): Promise<ActionPlanView> {
  const body = readStartBody(request);
  const options = readStartOptions(body);
  const skipped = readSkippedActions(body);
  const refusal = (state: string | null) => `Couldn't start when state is '${state}'.`;
  await requireApproval(deps, plan);
  if (plan.approval === 'given' && skipped.length > 0) throw conflict(approvedAsAWhole);
  const judged = await refuseStale(deps, plan, options.forceStale);
  return deps.store.transaction(async (unit) => {
    await claim(unit, plan.uuid);
    const current = await unit.actionPlans.get(plan.uuid);
    if (!canApply(actionPlanStateTable, current.state, 'start')) throw badRequest(refusal(current.state));
    await skipActions(unit, plan.uuid, skipped);
    await refuseSmallBudget(unit, { ...current, ...options });
    return launchPlan(deps, request, unit, current, { options, judged }).catch((error: unknown) => {
      throw error instanceof StateConflictError ? conflict(refusal(error.currentState)) : error;
    });
  });
}

const approvedAsAWhole =
  'The action plan was approved with all of its actions. Skip actions before the approval, without skip_actions.';

/** The actions that the body of a start skips. @throws ApiFault 400 for an invalid uuid. */
function readSkippedActions(body: JsonObject): string[] {
  const given = arrayField(body, 'skip_actions') ?? [];
  return given.map((uuid) => requireUuid('skip_actions', String(uuid)));
}

/**
 * Skips actions of a plan that is about to start. A skipped action stays skipped. @throws ApiFault 400 for other
 * states.
 */
async function skipActions(unit: UnitOfWork, planUuid: string, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const states = new Map((await unit.actions.listByPlan(planUuid)).map(({ uuid, state }) => [uuid, state]));
  for (const uuid of new Set(uuids)) {
    const state = states.get(uuid);
    if (state === undefined) throw invalidField('skip_actions', uuid, 'Not an action of this action plan');
    if (state === 'PENDING') await unit.actions.transition(uuid, 'skip', { set: { statusMessage: skippedText } });
  }
}

/**
 * Cancels the other sizes of a plan that is about to start: undecided plans that are points of the same audit's curve.
 * Two concurrent starts wait for each other here, and the second one finds its plan cancelled.
 */
async function cancelSiblings(unit: UnitOfWork, plan: ActionPlanView): Promise<void> {
  const [own] = await unit.planObjectives.onCurve([plan.id]);
  if (own === undefined) return;
  await unit.lock(`audit-plans:${plan.auditUuid}`);
  const waiting = await unit.actionPlans.list({
    filters: [
      { field: 'auditId', value: plan.auditId },
      { field: 'state', value: 'RECOMMENDED' },
    ],
  });
  const others = waiting.filter(({ id }) => id !== plan.id);
  const points = new Set(
    (await unit.planObjectives.onCurve(others.map(({ id }) => id))).map((one) => one.actionPlanId),
  );
  const set = { statusMessage: `Another size of it, action plan ${plan.uuid}, was started.` };
  for (const other of others) {
    if (!points.has(other.id)) continue;
    await unit.actionPlans.transition(other.uuid, 'cancelBeforeStart', { set }).catch((error: unknown) => {
      // A concurrent request has decided on it.
      if (!(error instanceof StateConflictError)) throw error;
    });
  }
}
