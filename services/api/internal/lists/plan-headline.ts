import { hostEffectOf } from '#libs/actions';
import type { EfficacyIndicator, JsonObject, PlanHosts } from '#libs/domain';
import type { ActionPlanView, ActionView, Store } from '#libs/store';
import { type Durations, loadDurations } from '../../routes/v1/action-plans/preview/durations.ts';
import { placeActions, verdictOf } from '../../routes/v1/action-plans/preview/stages.ts';

/** A plan with all that its headline is made of. */
interface Known {
  plan: ActionPlanView;
  actions: ActionView[];
  hosts: PlanHosts | null;
  indicators: EfficacyIndicator[];
  report: JsonObject | null;
}

/** The headlines of plans, in their order: what is gained, at what cost, for how long, and by whom. */
export async function planHeadlines(
  store: Store,
  plans: readonly ActionPlanView[],
  maySeePeople: boolean,
): Promise<{ actions: ActionView[]; hosts: PlanHosts | null; headline: object }[]> {
  if (plans.length === 0) return [];
  const known = await loadAll(store, plans);
  const durations = await loadDurations(
    store,
    known.flatMap(({ actions }) => actions),
  );
  const descriptions = await store.db.actionDescriptions.list();
  const revertible = new Map(descriptions.map((row) => [row.actionType, row.revertible]));
  return Promise.all(
    known.map(async (entry) => ({
      actions: entry.actions,
      hosts: entry.hosts,
      headline: {
        ...movesOf(entry.actions),
        memory: entry.hosts ? Object.values(entry.hosts.moved).reduce((sum, { memory }) => sum + memory, 0) : null,
        hosts_freed: entry.hosts ? freedOf(entry.hosts) : null,
        indicators: entry.indicators.map(({ name, unit, value }) => ({ name, unit, value })),
        seconds: secondsOf(entry.actions, durations),
        rollback: verdictOf(entry.actions.map(({ actionType }) => revertible.get(actionType) ?? null)),
        gap: typeof entry.report?.gap === 'number' ? entry.report.gap : null,
        ...(maySeePeople ? await peopleOf(store, entry.plan) : noPeople),
      },
    })),
  );
}

const noPeople = { made_by: null, started_by: null, started_at: null };

async function loadAll(store: Store, plans: readonly ActionPlanView[]): Promise<Known[]> {
  const { actions, planHosts, efficacyIndicators, audits } = store.db;
  const [indicators, ofAudits] = await Promise.all([
    efficacyIndicators.list({ filters: [{ field: 'actionPlanId', op: 'in', value: plans.map(({ id }) => id) }] }),
    audits.list({
      filters: [{ field: 'uuid', op: 'in', value: [...new Set(plans.map(({ auditUuid }) => auditUuid))] }],
      showDeleted: true,
    }),
  ]);
  return Promise.all(
    plans.map(async (plan) => {
      const audit = ofAudits.find(({ uuid }) => uuid === plan.auditUuid);
      // The report is of the last run: that run made the plan when nothing ran later.
      const isOfLastRun = plan.rollsBack === null && !(audit?.lastRunAt && audit.lastRunAt > plan.createdAt);
      return {
        plan,
        actions: await actions.listByPlan(plan.uuid),
        hosts: await planHosts.find(plan.id),
        indicators: indicators.filter(({ actionPlanId }) => actionPlanId === plan.id),
        report: isOfLastRun ? ((audit?.report ?? null) as JsonObject | null) : null,
      };
    }),
  );
}

function movesOf(actions: readonly ActionView[]) {
  const moves = { live_migrations: 0, cold_migrations: 0, volume_moves: 0, other_actions: 0 };
  for (const action of actions) {
    if (action.actionType === 'volume_migrate') moves.volume_moves += 1;
    else if (hostEffectOf(action)?.kind !== 'move') moves.other_actions += 1;
    else if (action.inputParameters.migration_type === 'live') moves.live_migrations += 1;
    else moves.cold_migrations += 1;
  }
  return moves;
}

function freedOf({ hosts }: PlanHosts): number {
  return hosts.filter(({ before, after }) => before.instances > 0 && after.instances === 0).length;
}

function secondsOf(actions: readonly ActionView[], durations: Durations): number {
  const places = placeActions(actions, durations.secondsOf);
  const ends = [...places.values()].map(({ startsAfter, takes }) => startsAfter + takes);
  return Math.round(ends.reduce((last, end) => Math.max(last, end), 0));
}

/** Newest requests about a plan that are looked at. */
const maxRequests = 20;

async function peopleOf({ db }: Store, plan: ActionPlanView) {
  const about = (target: string, targetKind: string) => db.auditLog.list({ target, targetKind, limit: maxRequests });
  const [ofPlan, ofAudit] = await Promise.all([about(plan.uuid, 'action_plan'), about(plan.auditUuid, 'audit')]);
  const isDone = ({ status }: { status: number | null }) => status !== null && status < 400;
  const start = ofPlan.find((entry) => entry.operation.startsWith('start') && isDone(entry));
  const made = ofAudit.find((entry) => entry.operation.startsWith('create') && isDone(entry));
  return {
    made_by: made?.userName ?? made?.userId ?? null,
    started_by: start?.userName ?? start?.userId ?? null,
    started_at: start?.at ?? null,
  };
}
