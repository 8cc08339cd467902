import type { FastifyRequest } from 'fastify';
import { type ActionPlanState, StateConflictError } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { badRequest, conflict } from '../../../http/faults/fault.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import type { ClaimKey } from '../../../http/request/idempotency.ts';

/** Operations on a plan besides start and cancel. */
export type PlanControl = 'pause' | 'resume' | 'abort';

const pausable: readonly ActionPlanState[] = ['RECOMMENDED', 'PENDING', 'ONGOING'];

type Control = (unit: UnitOfWork, plan: ActionPlanView) => Promise<ActionPlanView>;

const controls: Record<PlanControl, Control> = {
  pause: (unit, plan) => setPaused(unit, plan, true),
  resume: (unit, plan) => setPaused(unit, plan, false),
  abort: abortPlan,
};

/**
 * `POST /v1/action_plans/{uuid}/pause|resume|abort`. A paused plan starts no further action. Abort is a cancellation
 * that also aborts running actions where possible.
 * @throws ApiFault 400 in a state that does not allow it, 409 after a concurrent change.
 */
export async function controlActionPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  uuid: string,
  control: PlanControl,
  claim: ClaimKey,
): Promise<ActionPlanView> {
  return deps.store.transaction(async (unit) => {
    await claim(unit, uuid);
    await requireMatch(request, unit, uuid, () => unit.actionPlans.get(uuid));
    const plan = await unit.actionPlans.get(uuid);
    return controls[control](unit, plan).catch((error: unknown) => {
      throw error instanceof StateConflictError ? conflict(refusal(control, error.currentState)) : error;
    });
  });
}

function refusal(control: PlanControl, state: string | null): string {
  return `Couldn't ${control} when state is '${state}'.`;
}

async function setPaused(unit: UnitOfWork, plan: ActionPlanView, paused: boolean): Promise<ActionPlanView> {
  if (!pausable.includes(plan.state)) throw badRequest(refusal(paused ? 'pause' : 'resume', plan.state));
  return plan.paused === paused ? plan : unit.actionPlans.update(plan.uuid, { paused });
}

async function abortPlan(unit: UnitOfWork, plan: ActionPlanView): Promise<ActionPlanView> {
  if (plan.state === 'CANCELLING') return unit.actionPlans.update(plan.uuid, { abortRunning: true });
  if (plan.state === 'ONGOING' || plan.state === 'SUSPENDED') {
    return unit.actionPlans.transition(plan.uuid, 'requestCancel', { set: { abortRunning: true } });
  }
  if (plan.state !== 'RECOMMENDED' && plan.state !== 'PENDING') throw badRequest(refusal('abort', plan.state));
  return cancelBeforeStart(unit, plan);
}

/** Cancels a plan that no applier has started, with all its actions. */
export async function cancelBeforeStart(unit: UnitOfWork, plan: ActionPlanView): Promise<ActionPlanView> {
  const set = { statusMessage: 'Cancelled on request before it started' };
  const cancelled = await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart', { set });
  await unit.actions.cancelPending(plan.uuid, {});
  return cancelled;
}
