import { type ActionPlanState, actionPlanStateTable, isTerminal } from '#libs/domain';
import { type ConnectedWatcher, OpenStackError } from '#libs/openstack';
import type { Store } from '#libs/store';

/** A plan that Watcher recommends although Vigil has started or ended it. */
export interface LeftPlan {
  uuid: string;
  /** State in Vigil. */
  state: ActionPlanState;
  /** Whether it has ended in Vigil, so that it can be settled in Watcher. */
  isEnded: boolean;
}

/** A settled plan, or the reason why Watcher refused to cancel it. */
export interface SettledPlan {
  uuid: string;
  /** Null when the plan is CANCELLED in Watcher. */
  error: string | null;
}

const recommended: ActionPlanState = 'RECOMMENDED';
/** Plans that one statement looks up. */
const batchSize = 500;

/**
 * Plans that are RECOMMENDED in Watcher and no longer in Vigil, deleted ones included. Plans that Vigil does not have
 * are left out.
 * @throws OpenStackError when the API of Watcher cannot be used
 */
export async function findLeftPlans(watcher: Pick<ConnectedWatcher, 'plans'>, { db }: Store): Promise<LeftPlan[]> {
  const listed = await watcher.plans.list();
  const uuids = listed.filter(({ state }) => state === recommended).map(({ uuid }) => uuid);
  const left: LeftPlan[] = [];
  for (let from = 0; from < uuids.length; from += batchSize) {
    const value = uuids.slice(from, from + batchSize);
    const known = await db.actionPlans.list({ filters: [{ field: 'uuid', op: 'in', value }], showDeleted: true });
    for (const { uuid, state, deletedAt } of known) {
      const reached = deletedAt === null ? state : 'DELETED';
      if (reached !== recommended)
        left.push({ uuid, state: reached, isEnded: isTerminal(actionPlanStateTable, reached) });
    }
  }
  return left;
}

/**
 * Cancels ended plans in Watcher, one after the other. A refusal of one plan does not stop the others: Watcher refuses
 * a plan that was started there after it was listed.
 * @throws OpenStackError when the API of Watcher is unavailable, or refuses the user
 */
export async function settlePlans(
  watcher: Pick<ConnectedWatcher, 'plans'>,
  ended: readonly LeftPlan[],
): Promise<SettledPlan[]> {
  const settled: SettledPlan[] = [];
  for (const { uuid } of ended) {
    try {
      await watcher.plans.cancel(uuid);
      settled.push({ uuid, error: null });
    } catch (error) {
      if (!(error instanceof OpenStackError && refusals.has(error.status))) throw error;
      settled.push({ uuid, error: error.message });
    }
  }
  return settled;
}

/** Statuses that concern one plan: a wrong state, a removed plan, a lost race. */
const refusals = new Set([400, 404, 409]);
