import type { Action, ActionPlan, Audit, Delta, VigilClient } from '#libs/client';
import type { ActionRecord, AuditRecord, PlanRecord, StateAt } from './record.ts';

/** Audits, plans and actions as a client of the change stream sees them. Removed ones are kept. */
export interface WorkLog {
  plans: ReadonlyMap<string, PlanRecord>;
  actions: ReadonlyMap<string, ActionRecord>;
  audits: ReadonlyMap<string, AuditRecord>;
  /** Ends the stream. */
  stop(): Promise<void>;
}

/** Follows the change stream through the SDK. */
export function keepWorkLog(client: VigilClient): WorkLog {
  const plans = new Map<string, PlanRecord>();
  const actions = new Map<string, ActionRecord>();
  const audits = new Map<string, AuditRecord>();
  const ending = new AbortController();

  function take([kind, change, entity]: Delta): void {
    if (change === 'remove') return;
    if (kind === 'action_plan') plans.set(entity.uuid, planRecord(plans.get(entity.uuid), entity));
    if (kind === 'action') actions.set(entity.uuid, actionRecord(actions.get(entity.uuid), entity));
    if (kind === 'audit') audits.set(entity.uuid, auditRecord(audits.get(entity.uuid), entity));
  }

  async function follow(): Promise<void> {
    const options = { kinds: ['audit', 'action_plan', 'action'] as const, signal: ending.signal };
    for await (const { deltas } of client.watch(options)) for (const delta of deltas) take(delta);
  }

  const following = follow();
  // An error is thrown by `stop`.
  following.catch(() => undefined);
  return {
    ...{ plans, actions, audits },
    stop() {
      ending.abort();
      return following;
    },
  };
}

function withState(known: { states: StateAt[] } | undefined, state: string): StateAt[] {
  const states = known?.states ?? [];
  return states.at(-1)?.state === state ? states : [...states, { state, atMs: Date.now() }];
}

function planRecord(
  known: PlanRecord | undefined,
  plan: ActionPlan & { outcome: Record<string, unknown> },
): PlanRecord {
  return {
    uuid: plan.uuid,
    auditUuid: plan.audit_uuid,
    strategy: plan.strategy_name ?? '',
    createdMs: Date.parse(plan.created_at ?? ''),
    states: withState(known, plan.state),
    message: plan.status_message ?? null,
    outcome: (plan.outcome?.outcome as Record<string, unknown> | null | undefined) ?? null,
    efficacy: plan.efficacy_indicators,
  };
}

function actionRecord(known: ActionRecord | undefined, action: Action): ActionRecord {
  return {
    uuid: action.uuid,
    planUuid: action.action_plan_uuid ?? '',
    type: action.action_type,
    input: action.input_parameters,
    states: withState(known, action.state),
    message: action.status_message ?? null,
  };
}

function auditRecord(known: AuditRecord | undefined, audit: Audit): AuditRecord {
  return {
    uuid: audit.uuid,
    name: audit.name,
    type: audit.audit_type,
    strategy: audit.strategy_name,
    states: withState(known, audit.state),
    message: audit.status_message ?? null,
    nextRunMs: audit.next_run_time === null ? null : Date.parse(`${audit.next_run_time}Z`),
  };
}
