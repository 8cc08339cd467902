import type { FastifyRequest } from 'fastify';
import { actionPlanStateTable, canApply, StateConflictError } from '#libs/domain';
import { type PlanLaunchBody, planLaunch } from '#libs/messaging';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest, conflict } from '../../../http/fault.ts';
import type { ClaimKey } from '../../../http/idempotency.ts';
import { cancelSiblings } from './cancel-siblings.ts';
import { readSkippedActions, skipActions } from './skip-actions.ts';
import { readStartBody, readStartOptions, type StartOptions } from './start-options.ts';

/** Makes a plan PENDING and writes the message that has it executed; to be called inside a transaction. */
export async function launchPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
  options: StartOptions = {},
): Promise<ActionPlanView> {
  if (plan.state === 'RECOMMENDED') await cancelSiblings(unit, plan);
  const launchSeq = plan.launchSeq + 1;
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set: { ...options, launchSeq } });
  const body: PlanLaunchBody = {
    schema: 'plan.launch/1',
    plan_uuid: plan.uuid,
    launch_seq: launchSeq,
    requested_by: request.caller.userId,
  };
  await unit.outbox.add({ eventId: deps.newUuid(), type: planLaunch.type, body, requestId: request.id });
  return started;
}

/**
 * `POST /v1/action_plans/{uuid}/start`.
 * @throws ApiFault 400 in another state than RECOMMENDED and SUSPENDED, 409 when somebody else has changed it at this moment.
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
  return deps.store.transaction(async (unit) => {
    await claim(unit);
    const current = await unit.actionPlans.get(plan.uuid);
    if (!canApply(actionPlanStateTable, current.state, 'start')) throw badRequest(refusal(current.state));
    await skipActions(unit, plan.uuid, skipped);
    return launchPlan(deps, request, unit, current, options).catch((error: unknown) => {
      throw error instanceof StateConflictError ? conflict(refusal(error.currentState)) : error;
    });
  });
}
