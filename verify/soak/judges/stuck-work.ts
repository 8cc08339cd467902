import { type ActionRecord, changedMs, type Fault, type SoakRecord, stateOf, timeOf } from '../record.ts';

/** Longest times without progress, in milliseconds. */
export const progressLimitsMs = {
  /** A started plan that waits for an applier or for other plans. */
  pendingPlan: 900_000,
  /** A plan that runs: no change of it, of its actions or of the cloud. */
  runningPlan: 300_000,
  action: 300_000,
  /** A single audit, and the delay of a run of a continuous one. */
  audit: 600_000,
};

/** States in which work has to progress, with the longest time without progress. */
const planLimits: Readonly<Record<string, number>> = {
  PENDING: progressLimitsMs.pendingPlan,
  ONGOING: progressLimitsMs.runningPlan,
  CANCELLING: progressLimitsMs.runningPlan,
};
const openActions = new Set(['ONGOING', 'CANCELLING']);

/**
 * Finds plans, actions and audits that make no progress for longer than their limit, and started plans that are open
 * when all work has had time to end.
 */
export function judgeStuckWork(record: SoakRecord, isSettled: boolean): Fault[] {
  return [...stuckPlans(record, isSettled), ...stuckActions(record), ...stuckAudits(record)];
}

function stuckPlans(record: SoakRecord, isSettled: boolean): Fault[] {
  const byPlan = new Map<string, ActionRecord[]>();
  for (const action of record.actions.values()) {
    byPlan.set(action.planUuid, [...(byPlan.get(action.planUuid) ?? []), action]);
  }
  return [...record.plans.values()].flatMap((plan) => {
    const times = [...plan.states, ...(byPlan.get(plan.uuid) ?? []).flatMap(({ states }) => states)].map(
      ({ atMs }) => atMs,
    );
    const pauses = pausesOf(
      plan.states.map(({ atMs, state }) => ({ atMs, state })),
      times,
      record.endMs,
    );
    const worst = pauses.find(({ state, lengthMs }) => lengthMs > (planLimits[state] ?? Number.POSITIVE_INFINITY));
    const isOpen = isSettled && planLimits[stateOf(plan)] !== undefined;
    if (!worst && !isOpen) return [];
    const text = worst
      ? `plan ${plan.uuid} (${plan.strategy}) was ${worst.state} for ${Math.round(worst.lengthMs / 1000)} s without progress`
      : `plan ${plan.uuid} (${plan.strategy}) is ${stateOf(plan)} at the end (${plan.message ?? 'no message'})`;
    return [{ atMs: worst?.fromMs ?? record.endMs, text, ids: [plan.uuid], evidence: plan }];
  });
}

interface Pause {
  state: string;
  fromMs: number;
  lengthMs: number;
}

/** Times between two signs of progress, each with the state of the plan in it. */
function pausesOf(states: { atMs: number; state: string }[], progressMs: number[], endMs: number): Pause[] {
  const marks = [...progressMs, endMs].sort((one, other) => one - other);
  return marks.slice(1).map((toMs, place) => {
    const fromMs = marks[place] as number;
    const state = states.findLast(({ atMs }) => atMs <= fromMs)?.state ?? '';
    return { state, fromMs, lengthMs: toMs - fromMs };
  });
}

function stuckActions({ actions, endMs }: SoakRecord): Fault[] {
  return [...actions.values()].flatMap((action) => {
    const marks = [...action.states, { state: '', atMs: endMs }];
    const long = action.states.find(
      ({ state, atMs }, place) =>
        openActions.has(state) && (marks[place + 1]?.atMs ?? endMs) - atMs > progressLimitsMs.action,
    );
    if (!long) return [];
    const text = `action ${action.uuid} (${action.type}) was ${long.state} from ${timeOf(long.atMs)} on for too long`;
    return [{ atMs: long.atMs, text, ids: [action.uuid, action.planUuid], evidence: action }];
  });
}

function stuckAudits({ audits, endMs }: SoakRecord): Fault[] {
  return [...audits.values()].flatMap((audit) => {
    const state = stateOf(audit);
    const isOpen = state === 'PENDING' || state === 'ONGOING';
    const dueMs = audit.type === 'CONTINUOUS' && state === 'ONGOING' ? audit.nextRunMs : changedMs(audit);
    if (!isOpen || dueMs === null || endMs - dueMs <= progressLimitsMs.audit) return [];
    const text = `audit ${audit.name} (${audit.strategy}) is ${state} without a run since ${timeOf(dueMs)} (${audit.message ?? 'no message'})`;
    return [{ atMs: dueMs, text, ids: [audit.uuid], evidence: audit }];
  });
}
