import { dataOf, type Indicator, type JudgedPromise, type PlanHost } from '#libs/client';
import type { TestStack } from '../../tests/system/test-stack.ts';
import { callInternal } from './call-internal.ts';
import type { ShownQuantity } from './cloud-numbers.ts';

/** Numbers that were measured before or after a plan. */
export interface ApiMeasurement {
  cluster?: Record<string, number | null>;
  goal?: Record<string, number | null> | null;
}

/** An action. */
export interface ApiAction {
  uuid: string;
  action_type: string;
  state: string;
  input_parameters: Record<string, unknown>;
  /** Uuids of the actions that it waits for. */
  parents: readonly string[];
  status_message?: string | null;
}

/** All that the public API reports about a plan. */
export interface ApiPlan {
  uuid: string;
  state: string;
  strategy: string;
  indicators: readonly Indicator[];
  efficacy: readonly Indicator[];
  actions: readonly ApiAction[];
  hosts: readonly PlanHost[];
  sideEffects: readonly {
    quantity: string;
    deviation: { before: number; after: number };
    highest_before: number;
    fullest: { hostname: string; before: number; after: number };
  }[];
  reserveChanges: readonly { domain: string; change: 'lost' | 'gained' }[];
  rollback: string | null;
  /** Of the audit that made the plan: the part of the possible gain that is not reached. */
  gap: number | null;
  duration: { seconds: { low: number; high: number }; measured_actions: number; guessed_types: readonly string[] };
  oneByOne: number;
  /** Instances whose destinations Nova selects. */
  unplaced: number;
  /** Name of its audit. */
  audit: string;
  /** Why the plan is in its state. */
  message: string | null;
  /** No action starts before, ISO 8601. */
  holdUntil: string | null;
  measurement: { state: string; reason?: string | null; overlaps?: readonly string[]; due_at?: string | null } | null;
  before: ApiMeasurement | null;
  after: ApiMeasurement | null;
  promises: readonly JudgedPromise[];
  /** Starts and ends of its actions, ISO 8601. */
  times: readonly { action_uuid: string; started_at: string | null; ended_at: string | null }[];
  /** Of the internal API, which alone has them. */
  improvements: ApiPlan['sideEffects'];
  /** Percent of the capacity of each host by quantity, of the internal API. */
  shares: readonly { hostname: string; shares: Partial<Record<ShownQuantity, { before: number; after: number }>> }[];
}

interface InternalRow {
  plan: { headline: { improvements: ApiPlan['sideEffects'] | null } };
  hosts: ApiPlan['shares'];
}

interface Outcome {
  measurement?: ApiPlan['measurement'];
  before?: ApiMeasurement | null;
  after?: ApiMeasurement | null;
  promises?: JudgedPromise[];
}

/** Reads a plan by the public API, and its improvements and shares by the internal one. */
export async function readApiPlan(stack: TestStack, uuid: string): Promise<ApiPlan> {
  const { client } = stack;
  const ident = { params: { path: { ident: uuid } } };
  const [plan, actions, preview, stored, timeline, row] = await Promise.all([
    client.get('action_plans', uuid),
    client.list('actions', { filters: { action_plan_uuid: uuid } }),
    dataOf(client.api.GET('/v1/action_plans/{ident}/preview', ident)),
    dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', ident)),
    dataOf(client.api.GET('/v1/action_plans/{ident}/timeline', ident)),
    callInternal<InternalRow>(stack, 'GET', `/lists/action-plans/${uuid}`),
  ]);
  const audit = { params: { path: { ident: String(plan.audit_uuid) } } };
  const [{ report }, { name }] = await Promise.all([
    dataOf(client.api.GET('/v1/audits/{ident}/report', audit)),
    client.get('audits', String(plan.audit_uuid)),
  ]);
  const outcome = (stored.outcome ?? {}) as unknown as Outcome;
  const gap = (report as { gap?: number | null } | null)?.gap;
  return {
    uuid,
    state: plan.state,
    strategy: plan.strategy_name ?? '',
    indicators: plan.efficacy_indicators,
    efficacy: plan.global_efficacy,
    actions: actions as ApiPlan['actions'],
    hosts: preview.hosts,
    sideEffects: preview.side_effects ?? [],
    reserveChanges: preview.reserve_changes ?? [],
    rollback: preview.rollback,
    gap: gap ?? null,
    duration: preview.duration,
    oneByOne: preview.estimated_seconds.one_by_one,
    unplaced: preview.unplaced?.instances ?? 0,
    audit: name ?? '',
    message: plan.status_message ?? null,
    holdUntil: stored.hold_until,
    measurement: outcome.measurement ?? null,
    before: outcome.before ?? null,
    after: outcome.after ?? null,
    promises: outcome.promises ?? [],
    times: timeline.actions as ApiPlan['times'],
    improvements: row.plan.headline.improvements ?? [],
    shares: row.hosts,
  };
}
