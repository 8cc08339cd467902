import { hostEffectOf } from '#libs/actions';
import type { ActionPlanView, ConcurrentAction, MeasuredWindow, Store } from '#libs/store';

/** Actions of other plans that are compared. More than these ran only where hundreds of plans overlap. */
const mostActions = 10_000;
/** Plans that an outcome names. */
const mostPlans = 20;

/**
 * Uuids of other plans that changed one of `hostnames`, or a host that the plan itself changed, within the window. At
 * most 20, newest first.
 */
export async function overlappingPlans(
  { db, planWork }: Pick<Store, 'db' | 'planWork'>,
  plan: ActionPlanView,
  { start, end }: MeasuredWindow,
  hostnames: readonly string[],
): Promise<string[]> {
  const actions = await planWork.concurrent(plan.id, { start, end, limit: mostActions });
  if (actions.length === 0) return [];
  const own = (await db.actions.listByPlan(plan.uuid)).flatMap(hostsOf);
  const measured = new Set([...hostnames, ...own]);
  const isTouching = (action: ConcurrentAction) => hostsOf(action).some((name) => name === null || measured.has(name));
  const plans = new Set(actions.filter(isTouching).map(({ planUuid }) => planUuid));
  return [...plans].slice(0, mostPlans);
}

/** Hosts that an action changes. Null for a destination that Nova chooses. */
function hostsOf(action: Pick<ConcurrentAction, 'actionType' | 'inputParameters'>): (string | null)[] {
  const effect = hostEffectOf(action);
  if (effect === null) return [];
  return effect.kind === 'service' ? [effect.hostname] : [effect.from, effect.to];
}
