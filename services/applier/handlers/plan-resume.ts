import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Store } from '#libs/store';
import type { PlanRunner } from '../plan-runner/plan-runner.ts';

/**
 * Handles the hint that a plan may continue. A free applier claims and checks the plan immediately, without waiting
 * for the next poll.
 */
export function createPlanResumeHandler(deps: { store: Store; runner: PlanRunner; logger: Logger }) {
  const { store, runner, logger } = deps;

  async function resume(planUuid: string): Promise<void> {
    runner.hint(planUuid);
    const plan = await store.db.actionPlans.find(planUuid);
    const kind = plan?.state === 'PENDING' ? 'claimed' : 'taken_over';
    if (plan === null || !runner.isFreeFor(kind)) return;
    const result = await runner.tryStart({ planUuid, kind }, 0);
    logger.debug({ plan: planUuid, kind, result }, 'action plan may continue');
  }

  return (body: JsonObject): void => {
    resume(String(body.plan_uuid)).catch((error: unknown) => {
      logger.warn({ plan: body.plan_uuid, reason: messageOf(error) }, 'action plan left to the poller');
    });
  };
}
