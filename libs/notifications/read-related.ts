import type { Goal, Strategy } from '#libs/domain';
import type { ActionPlanView, ActionView, AuditLogEntry, AuditView, ChangeRow, Reader, Store } from '#libs/store';

/** Rows of a batch of changes, and the rows that payloads nest in them. All by uuid, deleted ones too. */
export interface RelatedRows {
  audits: Map<string, AuditView>;
  plans: Map<string, ActionPlanView>;
  actions: Map<string, ActionView>;
  goals: Map<string, Goal>;
  strategies: Map<string, Strategy>;
}

/** One query for each kind of entity, however many changes there are. */
export async function readRelated(store: Store, changes: readonly ChangeRow[]): Promise<RelatedRows> {
  const { db } = store;
  const changed = (kind: string) => changes.filter((row) => row.kind === kind).map((row) => row.entityUuid);
  const actions = await read(db.actions, changed('action'));
  const planUuids = [...actions.values()].map((action) => action.actionPlanUuid);
  const plans = await read(db.actionPlans, [...changed('action_plan'), ...planUuids]);
  const auditUuids = [...plans.values()].map((plan) => plan.auditUuid);
  const audits = await read(db.audits, [...changed('audit'), ...auditUuids]);
  const auditRows = [...audits.values()];
  const strategyUuids = [
    ...[...plans.values()].map((plan) => plan.strategyUuid),
    ...auditRows.flatMap(({ strategyUuid }) => (strategyUuid === null ? [] : [strategyUuid])),
  ];
  const goals = await read<Goal>(
    db.goals,
    auditRows.map((audit) => audit.goalUuid),
  );
  const strategies = await read<Strategy>(db.strategies, strategyUuids);
  return { audits, plans, actions, goals, strategies };
}

/** Entries of the audit log that a batch of changes is about, by uuid. */
export async function readAuditLog(
  store: Store,
  changes: readonly ChangeRow[],
): Promise<ReadonlyMap<string, AuditLogEntry>> {
  const uuids = changes.filter(({ kind }) => kind === 'audit_log').map(({ entityUuid }) => entityUuid);
  if (uuids.length === 0) return new Map();
  const entries = await store.db.auditLog.select({ uuids, newest: 0 });
  return new Map(entries.map((entry) => [entry.uuid, entry]));
}

async function read<View extends { uuid: string }>(
  reader: Pick<Reader<View>, 'list'>,
  uuids: readonly string[],
): Promise<Map<string, View>> {
  const value = [...new Set(uuids)];
  if (value.length === 0) return new Map();
  const field = 'uuid' as keyof View & string;
  const rows = await reader.list({ filters: [{ field, op: 'in', value }], showDeleted: true });
  return new Map(rows.map((row) => [row.uuid, row]));
}
