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
  const isTouching = touches([...hostnames, ...own]);
  const plans = new Set(actions.filter(isTouching).map(({ planUuid }) => planUuid));
  return [...plans].slice(0, mostPlans);
}

/** End of the newest action of another plan that changed one of `hostnames` and ended within the window, if any. */
export async function lastChange(
  { planWork }: Pick<Store, 'planWork'>,
  plan: ActionPlanView,
  { start, end }: MeasuredWindow,
  hostnames: readonly string[],
): Promise<{ planUuid: string; endedAt: Date } | null> {
  const actions = await planWork.concurrent(plan.id, { start, end, limit: mostActions });
  const ends = actions
    .filter(touches(hostnames))
    .flatMap(({ planUuid, endedAt }) => (endedAt === null ? [] : [{ planUuid, endedAt }]));
  return ends.sort((one, other) => other.endedAt.getTime() - one.endedAt.getTime())[0] ?? null;
}

function touches(hostnames: readonly (string | null)[]): (action: ConcurrentAction) => boolean {
  const measured = new Set(hostnames);
  return (action) => hostsOf(action).some((name) => name === null || measured.has(name));
}

/** Hosts that an action changes. Null for a destination that Nova chooses. */
function hostsOf(action: Pick<ConcurrentAction, 'actionType' | 'inputParameters'>): (string | null)[] {
  const effect = hostEffectOf(action);
  if (effect === null) return [];
  return effect.kind === 'service' ? [effect.hostname] : [effect.from, effect.to];
}
