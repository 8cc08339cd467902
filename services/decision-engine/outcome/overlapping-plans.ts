import { hostEffectOf } from '#libs/actions';
import type { ActionPlanView, ConcurrentAction, MeasuredWindow, Store } from '#libs/store';

/** Maximum number of compared actions of other plans. Only hundreds of overlapping plans exceed it. */
const mostActions = 10_000;
/** Maximum number of plans that an outcome names. */
const mostPlans = 20;

/**
 * Returns uuids of other plans that, within the window, changed one of `hostnames` or a host that the plan itself
 * changed. At most 20, newest first.
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

/**
 * End of the newest action of another plan that changed one of `hostnames` and ended within the window. Null without
 * one.
 */
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

/** Hosts that an action changes. Null stands for a destination that Nova chooses. */
function hostsOf(action: Pick<ConcurrentAction, 'actionType' | 'inputParameters'>): (string | null)[] {
  const effect = hostEffectOf(action);
  if (effect === null) return [];
  return effect.kind === 'service' ? [effect.hostname] : [effect.from, effect.to];
}
