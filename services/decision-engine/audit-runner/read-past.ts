import { hostEffectOf, revertType } from '#libs/actions';
import { movingActionTypes, serviceActionTypes, type WantedMove } from '#libs/domain';
import type { PastActions } from '#libs/plugin-kit';
import type { ActionPlanView, ActionView, UnitOfWork } from '#libs/store';

/** Number of newest plans of a goal to check. */
const mostPlans = 500;
/** Time for which a host counts as woken, in milliseconds. */
const wokenMs = 3_600_000;

/**
 * Effects of earlier plans within their retention: departures (plans of all strategies of the goal), woken hosts
 * (plans of all audits), and disabled hosts, failures and open migrations (plans of the audit, none with the uuid
 * null, for an audit that does not exist yet).
 */
export async function readPast(
  db: Pick<UnitOfWork, 'actions' | 'actionPlans' | 'strategies' | 'now'>,
  auditUuid: string | null,
  goalName: string,
): Promise<PastActions> {
  const strategies = await db.strategies.list({ filters: [{ field: 'goalName', value: goalName }], showDeleted: true });
  const plans = await db.actionPlans.list({
    filters: [{ field: 'strategyId', op: 'in', value: strategies.map(({ id }) => id) }],
    sortKey: 'id',
    sortDir: 'desc',
    limit: mostPlans,
  });
  const carriedOut = await db.actions.list({
    filters: [
      { field: 'actionPlanId', op: 'in', value: plans.map(({ id }) => id) },
      { field: 'actionType', op: 'in', value: [...movingActionTypes, ...serviceActionTypes, revertType] },
      { field: 'state', value: 'SUCCEEDED' },
    ],
  });
  const lasting = carriedOut.filter(({ rollbackState }) => rollbackState !== 'SUCCEEDED').sort(byEnd);
  const failures =
    auditUuid === null
      ? 0
      : await db.actions.count([
          { field: 'auditUuid', value: auditUuid },
          { field: 'state', value: 'FAILED' },
        ]);
  return {
    departures: departuresOf(lasting),
    disabled: hostsLeft(
      false,
      lasting.filter((action) => action.auditUuid === auditUuid),
    ),
    woken: await wokenHosts(db),
    failures,
    open: await openMoves(
      db,
      plans.find((plan) => plan.auditUuid === auditUuid),
    ),
  };
}

/** Migrations that the plan did not reach, because it was cancelled, replaced or ended before. */
async function openMoves(db: Pick<UnitOfWork, 'actions'>, plan: ActionPlanView | undefined): Promise<WantedMove[]> {
  if (plan === undefined) return [];
  const actions = await db.actions.listByPlan(plan.uuid);
  return wantedMoves(actions.filter(({ state }) => state === 'PENDING' || state === 'CANCELLED'));
}

/** Destinations of instances in actions that name a host. */
export function wantedMoves(actions: readonly ActionView[]): WantedMove[] {
  return actions.flatMap((action) => {
    const effect = hostEffectOf(action);
    return effect?.kind === 'move' && effect.to !== null ? [{ instance: effect.instance, host: effect.to }] : [];
  });
}

function byEnd(one: ActionView, other: ActionView): number {
  return (one.endedAt?.getTime() ?? 0) - (other.endedAt?.getTime() ?? 0);
}

function departuresOf(actions: readonly ActionView[]): Record<string, string> {
  const left = new Map<string, string | null>();
  for (const effect of actions.map(hostEffectOf)) if (effect?.kind === 'move') left.set(effect.instance, effect.from);
  return Object.fromEntries([...left].flatMap(([uuid, from]) => (from === null ? [] : [[uuid, from]])));
}

/** Hosts whose compute service the last of the actions, reverts included, has enabled or disabled. */
function hostsLeft(enabled: boolean, actions: readonly ActionView[]): string[] {
  const states = new Map<string, boolean>();
  for (const effect of actions.map(hostEffectOf))
    if (effect?.kind === 'service') states.set(effect.hostname, effect.enabled);
  return [...states].flatMap(([hostname, state]) => (state === enabled ? hostname : []));
}

async function wokenHosts(db: Pick<UnitOfWork, 'actions' | 'now'>): Promise<string[]> {
  const since = new Date((await db.now()).getTime() - wokenMs);
  const recent = await db.actions.list({
    filters: [
      { field: 'actionType', op: 'in', value: [...serviceActionTypes, revertType] },
      { field: 'state', value: 'SUCCEEDED' },
      { field: 'endedAt', op: 'gte', value: since },
    ],
  });
  return hostsLeft(true, recent.sort(byEnd));
}
