import type { FastifyRequest } from 'fastify';
import { type OnFailure, onFailurePolicies, StateConflictError } from '#libs/domain';
import { type PlanLaunchBody, planLaunch } from '#libs/messaging';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest, invalidField } from '../../../http/fault.ts';
import { isJsonObject } from '../../../http/json-body.ts';

/** Makes a plan PENDING and writes the message that has it executed; to be called inside a transaction. */
export async function launchPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
  onFailure?: OnFailure,
): Promise<ActionPlanView> {
  const launchSeq = plan.launchSeq + 1;
  const set = onFailure ? { launchSeq, onFailure } : { launchSeq };
  const started = await unit.actionPlans.transition(plan.uuid, 'start', { set });
  const body: PlanLaunchBody = {
    schema: 'plan.launch/1',
    plan_uuid: plan.uuid,
    launch_seq: launchSeq,
    requested_by: request.caller.userId,
  };
  await unit.outbox.add({ eventId: deps.newUuid(), type: planLaunch.type, body, requestId: request.id });
  return started;
}

/** `POST /v1/action_plans/{uuid}/start`. */
export async function startActionPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  plan: ActionPlanView,
): Promise<ActionPlanView> {
  const onFailure = readOnFailure(request);
  const refusal = (state: string | null) => badRequest(`Couldn't start when state is '${state}'.`);
  if (plan.state !== 'RECOMMENDED') throw refusal(plan.state);
  return deps.store.transaction(async (unit) => {
    const current = await unit.actionPlans.get(plan.uuid);
    return launchPlan(deps, request, unit, current, onFailure).catch((error: unknown) => {
      throw error instanceof StateConflictError ? refusal(error.currentState) : error;
    });
  });
}

/** The optional body; Watcher takes none, so anything but `on_failure` is ignored. */
function readOnFailure(request: FastifyRequest): OnFailure | undefined {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return undefined;
  const body = parseLeniently(request.body.toString('utf8'));
  if (!isJsonObject(body) || body.on_failure === undefined || body.on_failure === null) return undefined;
  const wanted = onFailurePolicies.find((policy) => policy === body.on_failure);
  if (!wanted) {
    throw invalidField('on_failure', body.on_failure, `Value should be one of: ${onFailurePolicies.join(', ')}`);
  }
  return wanted;
}

function parseLeniently(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
