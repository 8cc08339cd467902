import { messageOf, StateConflictError } from '#libs/domain';
import { ask, isRefusal, planGain } from '#libs/messaging';
import type { ActionPlanView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { conflict } from '../../../http/faults/fault.ts';

/** A plan is of use while so much of its gain is left. */
const leastLeft = 0.5;

/**
 * Has the terms of a plan evaluated on the newest model before it starts, where its strategy told them. When less than
 * half of the gain is left the plan is superseded. A plan that nobody can judge now starts: each of its actions is
 * checked again when its turn comes.
 * @throws ApiFault 409 with the reason.
 */
export async function refuseStale(deps: RouteDeps, plan: ActionPlanView): Promise<void> {
  if (plan.state !== 'RECOMMENDED' || (await deps.store.db.planObjectives.find(plan.id)) === null) return;
  const left = await gainOf(deps, plan.uuid);
  if (left === null || left >= leastLeft) return;
  const reason = `Only ${Math.round(left * 100)} % of what the plan was to gain is left on the newest model; run its audit again.`;
  await deps.store.db.actionPlans
    .transition(plan.uuid, 'supersede', { set: { statusMessage: reason } })
    .catch((error: unknown) => {
      if (!(error instanceof StateConflictError)) throw error;
    });
  throw conflict(reason);
}

async function gainOf({ bus, logger }: RouteDeps, plan: string): Promise<number | null> {
  if (bus === null) return null;
  try {
    const answer = await ask(bus, planGain, { plan_uuid: plan });
    if (!isRefusal(answer)) return answer.left;
    logger.info({ plan, reason: answer.error.message }, 'the gain of a plan could not be told; it starts');
  } catch (error) {
    logger.info({ plan, error: messageOf(error) }, 'no decision engine told the gain of a plan; it starts');
  }
  return null;
}
