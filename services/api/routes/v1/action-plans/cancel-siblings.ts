import { StateConflictError } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';

/**
 * Cancels the other sizes of a plan that is about to start: plans that are points of the same audit's curve and wait for a decision. Two that
 * are started at the same moment wait for each other here, and the second one finds itself cancelled.
 */
export async function cancelSiblings(unit: UnitOfWork, plan: ActionPlanView): Promise<void> {
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
      // Somebody else has just decided on it.
      if (!(error instanceof StateConflictError)) throw error;
    });
  }
}
