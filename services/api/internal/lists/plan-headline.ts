import { hostEffectOf } from '#libs/actions';
import { type EfficacyIndicator, type JsonObject, volumeActionTypes } from '#libs/domain';
import type { ActionPlanView, AuditView, PlanHostTotals, PlanPerson, PlanWorkRow, Store } from '#libs/store';
import { durationBody, type PlanDuration, type PlanDurations } from '../../durations/plan-durations.ts';
import { verdictOf } from '../../routes/v1/action-plans/preview/stages.ts';
import { improvementsBody, sideEffectsBody } from '../../views/action-plan-body.ts';

/** A plan's actions in numbers, and its headline. */
export interface HeadlinedPlan {
  total: number;
  byState: Record<string, number>;
  headline: object;
}

/** Makes the headlines of plans, in their order: gain, cost, duration and requester. */
export type PlanHeadlines = (plans: readonly ActionPlanView[], maySeePeople: boolean) => Promise<HeadlinedPlan[]>;

/** Headlines from aggregates of the database. No action is read. */
export function createPlanHeadlines(store: Store, durations: PlanDurations): PlanHeadlines {
  return async (plans, maySeePeople) => {
    if (plans.length === 0) return [];
    const { planWork, db } = store;
    const ids = plans.map(({ id }) => id);
    const [rows, totals, indicators, audits, descriptions, people, estimates] = await Promise.all([
      planWork.counts(ids),
      planWork.hostTotals(ids),
      db.efficacyIndicators.list({ filters: [{ field: 'actionPlanId', op: 'in', value: ids }] }),
      db.audits.list({
        filters: [{ field: 'uuid', op: 'in', value: [...new Set(plans.map(({ auditUuid }) => auditUuid))] }],
        showDeleted: true,
      }),
      db.actionDescriptions.list(),
      maySeePeople ? loadPeople(store, plans) : noPeople,
      durations.estimate(plans),
    ]);
    const known = new Map(plans.map((plan) => [plan.id, rows.filter((row) => row.actionPlanId === plan.id)]));
    const revertible = new Map(descriptions.map((row) => [row.actionType, row.revertible]));
    return plans.map((plan) => {
      const own = known.get(plan.id) ?? [];
      return {
        total: sumOf(own),
        byState: countsBy(own, ({ state }) => state),
        headline: {
          ...movesOf(own),
          ...hostsOf(totals.find(({ actionPlanId }) => actionPlanId === plan.id)),
          indicators: indicatorsOf(indicators, plan.id),
          duration: durationBody(estimates.get(plan.id) as PlanDuration),
          rollback: verdictOf([...new Set(own.map(({ actionType }) => revertible.get(actionType) ?? null))]),
          gap: gapOf(
            plan,
            audits.find(({ uuid }) => uuid === plan.auditUuid),
          ),
          ...peopleOf(people, plan),
        },
      };
    });
  };
}

function sumOf(rows: readonly PlanWorkRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function countsBy(rows: readonly PlanWorkRow[], nameOf: (row: PlanWorkRow) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[nameOf(row)] = (counts[nameOf(row)] ?? 0) + row.count;
  return counts;
}

function movesOf(rows: readonly PlanWorkRow[]) {
  const none = { live_migrations: 0, cold_migrations: 0, volume_moves: 0, other_actions: 0 };
  return { ...none, ...countsBy(rows, kindOf) };
}

function kindOf({ effect, migration }: PlanWorkRow): string {
  if (volumeActionTypes.includes(effect)) return 'volume_moves';
  if (hostEffectOf({ actionType: effect, inputParameters: {} })?.kind !== 'move') return 'other_actions';
  return migration === 'live' ? 'live_migrations' : 'cold_migrations';
}

function hostsOf(totals: PlanHostTotals | undefined) {
  return {
    memory: totals?.memory ?? null,
    hosts_freed: totals?.freed ?? null,
    side_effects: sideEffectsBody(totals?.quantities ?? undefined),
    improvements: improvementsBody(totals?.quantities ?? undefined),
    reserve_changes: totals?.reserve ?? null,
  };
}

function indicatorsOf(indicators: readonly EfficacyIndicator[], planId: number) {
  return indicators
    .filter(({ actionPlanId }) => actionPlanId === planId)
    .map(({ name, unit, value }) => ({ name, unit, value }));
}

/** The report belongs to the last run: that run made the plan when nothing ran later. */
function gapOf(plan: ActionPlanView, audit: AuditView | undefined): number | null {
  const isOfLastRun = plan.rollsBack === null && !(audit?.lastRunAt && audit.lastRunAt > plan.createdAt);
  const gap = isOfLastRun ? (audit?.report as JsonObject | null | undefined)?.gap : null;
  return typeof gap === 'number' ? gap : null;
}

interface People {
  makers: readonly PlanPerson[];
  starters: readonly PlanPerson[];
}

const noPeople: People = { makers: [], starters: [] };

async function loadPeople({ planWork }: Store, plans: readonly ActionPlanView[]): Promise<People> {
  const [makers, starters] = await Promise.all([
    planWork.people('audit', 'create', [...new Set(plans.map(({ auditUuid }) => auditUuid))]),
    planWork.people(
      'action_plan',
      'start',
      plans.map(({ uuid }) => uuid),
    ),
  ]);
  return { makers, starters };
}

function peopleOf({ makers, starters }: People, plan: ActionPlanView) {
  const maker = makers.find(({ target }) => target === plan.auditUuid);
  const starter = starters.find(({ target }) => target === plan.uuid);
  return {
    made_by: maker?.userName ?? maker?.userId ?? null,
    started_by: starter?.userName ?? starter?.userId ?? null,
    started_at: starter?.at.toISOString() ?? null,
  };
}
