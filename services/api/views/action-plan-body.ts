import {
  actionStateTable,
  controlsOf,
  type EfficacyIndicator,
  isImprovement,
  isSideEffect,
  isTerminal,
  type PlanControls,
  planControls,
  type QuantityChange,
} from '#libs/domain';
import type { ActionPlanView, ActionStateCount } from '#libs/store';
import { snakeCaseKeys } from '../http/faults/notation.ts';
import { objectLinks } from '../http/request/links.ts';
import { timestamp } from '../http/watcher-text/timestamps.ts';
import { strategyOf } from './references.ts';
import type { Extent, ViewContext } from './view-context.ts';

/** An action plan as the API shows it. */
export function actionPlanBody(
  plan: ActionPlanView,
  indicators: readonly EfficacyIndicator[],
  extent: Extent,
  context: ViewContext,
): object {
  const { host, minor, showDeleted } = context;
  return {
    uuid: plan.uuid,
    audit_uuid: showDeleted || plan.auditDeleted === 0 ? plan.auditUuid : null,
    ...strategyOf(plan, context),
    state: plan.state,
    efficacy_indicators: indicators.map(({ name, description, unit, value }) => ({ name, description, unit, value })),
    global_efficacy: plan.globalEfficacy,
    updated_at: timestamp(plan.updatedAt),
    ...(extent === 'full' ? fullFields(plan, minor) : {}),
    links: objectLinks(host, 'action_plans', plan.uuid),
  };
}

function fullFields(plan: ActionPlanView, minor: number): object {
  return {
    hostname: plan.hostname,
    ...(minor >= 5 ? { status_message: plan.statusMessage } : {}),
    created_at: timestamp(plan.createdAt),
    deleted_at: timestamp(plan.deletedAt),
  };
}

/** Failure policy, control, rollback and measured efficacy of a plan. */
export function outcomeFields(plan: ActionPlanView): object {
  return {
    ...controlFields(plan),
    rollback_state: plan.rollbackState,
    rollback_message: plan.rollbackMessage,
    rolls_back: plan.rollsBack,
    outcome: snakeCaseKeys(plan.outcome),
  };
}

/** Controls of a plan that the API shows. */
function controlFields(plan: PlanControls): object {
  const fields = controlsOf(planControls).filter(({ shown }) => shown !== undefined);
  return Object.fromEntries(
    fields.map(({ key, name }) => {
      const value = plan[key];
      return [name, value instanceof Date ? timestamp(value) : value];
    }),
  );
}

/** Progress of a plan, from the states of its actions. `percent` has one decimal. */
export function planProgress(counts: readonly Pick<ActionStateCount, 'state' | 'count'>[]) {
  const sum = (found: typeof counts) => found.reduce((total, { count }) => total + count, 0);
  const total = sum(counts);
  const ended = sum(counts.filter(({ state }) => isTerminal(actionStateTable, state)));
  return {
    total,
    ended,
    running: sum(counts.filter(({ state }) => state === 'ONGOING' || state === 'CANCELLING')),
    percent: total === 0 ? 100 : Math.round((ended / total) * 1000) / 10,
    by_state: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
  };
}

const rounded = (share: number) => Math.round(share * 10) / 10;
const roundedPair = ({ before, after }: { before: number; after: number }) => ({
  before: rounded(before),
  after: rounded(after),
});

/**
 * Side effects of a plan as the API shows them, in tenths of a percent.
 * @param quantities stored with the plan. Undefined for plans of earlier releases
 * @returns null without stored quantities
 */
export function sideEffectsBody(quantities: readonly QuantityChange[] | undefined): object[] | null {
  return quantities?.filter(isSideEffect).map(changeBody) ?? null;
}

/** Quantities that a plan makes better, as `sideEffectsBody`. */
export function improvementsBody(quantities: readonly QuantityChange[] | undefined): object[] | null {
  return quantities?.filter(isImprovement).map(changeBody) ?? null;
}

function changeBody({ quantity, deviation, highestBefore, fullest }: QuantityChange): object {
  return {
    quantity,
    deviation: roundedPair(deviation),
    highest_before: rounded(highestBefore),
    fullest: { hostname: fullest.hostname, ...roundedPair(fullest) },
  };
}

/** Approval of an action plan as the API shows it. */
export function approvalFields(plan: ActionPlanView) {
  const { approvalBy } = plan;
  return {
    approval: plan.approval,
    reason: plan.approvalReason,
    decided_by: approvalBy && { user_id: approvalBy.userId, user_name: approvalBy.userName },
    at: timestamp(plan.approvalAt),
    comment: plan.approvalComment,
    void_because: plan.approvalVoid,
    starts_when_approved: plan.startsWhenApproved,
  };
}

/** Body of `GET /v1/action_plans/{uuid}/approval`. */
export function approvalBody(plan: ActionPlanView) {
  return { action_plan_uuid: plan.uuid, state: plan.state, ...approvalFields(plan) };
}
