import type { ChangedEntity, UnitOfWork } from '#libs/store';
import { type EntityKind, groupBy } from './entity-kind.ts';
import { entityKinds, kindNamed } from './entity-kinds.ts';
import { graphKey } from './own-kinds.ts';
import type { StreamEntry } from './stream-entry.ts';

type Pending = Omit<StreamEntry, 'entity'>;

/** Kinds that are shown as part of others and reported as a change of those. */
const indicatorKind = 'efficacy_indicator';
const edgeKind = 'graph_edge';
/** Its changes have the uuid of the plan. */
const commentKind = 'plan_comment';

/** Reports the progress of a running action. Undefined when unknown. */
export type ProgressOf = (actionUuid: string) => number | undefined;

/**
 * Reads changed entities from one snapshot. Indicators, comments and new action states become a change of their plan,
 * edges one of the graph. An entity that refers to a removed entity no longer shows it, so it has changed as well.
 */
export async function loadEntries(
  unit: UnitOfWork,
  changed: readonly ChangedEntity[],
  progressOf: ProgressOf = () => undefined,
): Promise<StreamEntry[]> {
  const pending = new Map<string, Pending>();
  for (const change of changed) {
    const kind = kindNamed(change.kind);
    if (kind) put(pending, { kind, key: change.entityUuid, ...placeOf(change) });
  }
  await addPlansOfIndicators(unit, changed, pending);
  addPlansOfComments(changed, pending);
  addGraph(changed, pending);
  const entries = await readPending(unit, [...pending.values()]);
  const dependents = [...(await dependentsOf(unit, entries)), ...plansOfActions(entries)];
  for (const dependent of dependents) put(pending, dependent);
  const known = new Set(entries.map(nameOf));
  const added = [...pending.values()].filter((entry) => !known.has(nameOf(entry)));
  const all = [...entries, ...(await readPending(unit, added))];
  for (const entry of all) addProgress(entry, progressOf);
  return all
    .map((entry) => ({ ...entry, revno: pending.get(nameOf(entry))?.revno ?? entry.revno }))
    .sort((a, b) => a.revno - b.revno);
}

/** Entries for actions with only a changed progress, in the state of `revno`. */
export async function loadProgress(
  unit: UnitOfWork,
  actionUuids: readonly string[],
  revno: number,
  progressOf: ProgressOf,
): Promise<StreamEntry[]> {
  const kind = kindNamed('action');
  if (!kind || actionUuids.length === 0) return [];
  const pending = actionUuids.map((key) => ({ kind, key, revno, created: null, states: [] }));
  const entries = (await readPending(unit, pending)).filter(({ entity }) => entity?.isLive);
  for (const entry of entries) addProgress(entry, progressOf);
  return entries.filter(({ progress }) => progress !== undefined);
}

function addProgress(entry: StreamEntry, progressOf: ProgressOf): void {
  if (entry.kind.name !== 'action' || entry.entity?.state !== 'ONGOING') return;
  const progress = progressOf(entry.key);
  if (progress !== undefined) entry.progress = progress;
}

function placeOf({ revno, created, states }: ChangedEntity): Pick<Pending, 'revno' | 'created' | 'states'> {
  return { revno, created, states };
}

function nameOf({ kind, key }: Pick<Pending, 'kind' | 'key'>): string {
  return `${kind.name} ${key}`;
}

function put(pending: Map<string, Pending>, entry: Pending): void {
  const known = pending.get(nameOf(entry));
  if (known) known.revno = Math.max(known.revno, entry.revno);
  else pending.set(nameOf(entry), entry);
}

async function addPlansOfIndicators(
  unit: UnitOfWork,
  changed: readonly ChangedEntity[],
  pending: Map<string, Pending>,
): Promise<void> {
  const kind = kindNamed('action_plan');
  const byUuid = new Map(changed.filter((change) => change.kind === indicatorKind).map((c) => [c.entityUuid, c.revno]));
  if (!kind || byUuid.size === 0) return;
  const indicators = await unit.efficacyIndicators.list({
    filters: [{ field: 'uuid', op: 'in', value: [...byUuid.keys()] }],
    showDeleted: true,
  });
  for (const { uuid, actionPlanUuid } of indicators) {
    put(pending, { kind, key: actionPlanUuid, revno: byUuid.get(uuid) ?? 0, created: null, states: [] });
  }
}

function addPlansOfComments(changed: readonly ChangedEntity[], pending: Map<string, Pending>): void {
  const kind = kindNamed('action_plan');
  if (!kind) return;
  for (const { kind: name, entityUuid, revno } of changed) {
    if (name === commentKind) put(pending, { kind, key: entityUuid, revno, created: null, states: [] });
  }
}

function addGraph(changed: readonly ChangedEntity[], pending: Map<string, Pending>): void {
  const kind = kindNamed('resource_graph');
  const newest = changed.findLast((change) => change.kind === edgeKind);
  if (kind && newest) put(pending, { kind, key: graphKey, revno: newest.revno, created: null, states: [] });
}

/** Plans whose progress has changed: one of their actions was added, removed or changed state. */
function plansOfActions(entries: readonly StreamEntry[]): Pending[] {
  const kind = kindNamed('action_plan');
  if (!kind) return [];
  return entries.flatMap(({ kind: { name }, entity, created, states, revno }) => {
    if (name !== 'action' || !entity?.planUuid) return [];
    if (entity.isLive && created === null && states.length === 0) return [];
    return [{ kind, key: entity.planUuid, revno, created: null, states: [] }];
  });
}

async function readPending(unit: UnitOfWork, pending: readonly Pending[]): Promise<StreamEntry[]> {
  const entries: StreamEntry[] = [];
  for (const [kind, wanted] of groupBy(pending, (entry) => entry.kind)) {
    const rows = await kind.read(unit, { keys: wanted.map(({ key }) => key), deleted: true });
    const byKey = new Map(rows.map((row) => [row.key, row]));
    for (const entry of wanted) entries.push({ ...entry, entity: byKey.get(entry.key) ?? null });
  }
  return entries;
}

/** Entities that show the uuid or name of an entity of each kind, and the field with the reference. */
const references: Readonly<Record<string, readonly [kind: string, field: 'goalId' | 'strategyId' | 'auditId'][]>> = {
  goal: [
    ['strategy', 'goalId'],
    ['audit_template', 'goalId'],
    ['audit', 'goalId'],
  ],
  strategy: [
    ['audit_template', 'strategyId'],
    ['audit', 'strategyId'],
    ['action_plan', 'strategyId'],
  ],
  audit: [['action_plan', 'auditId']],
};

async function dependentsOf(unit: UnitOfWork, entries: readonly StreamEntry[]): Promise<Pending[]> {
  const found: Pending[] = [];
  for (const { kind, entity, revno, created } of entries) {
    if (!entity || entity.isLive || created !== null) continue;
    for (const [name, field] of references[kind.name] ?? []) {
      const dependent = entityKinds.find((candidate) => candidate.name === name);
      if (!dependent) continue;
      const keys = await referring(unit, dependent, field, entity.id);
      found.push(...keys.map((key) => ({ kind: dependent, key, revno, created: null, states: [] })));
    }
  }
  return found;
}

async function referring(
  unit: UnitOfWork,
  kind: EntityKind,
  field: 'goalId' | 'strategyId' | 'auditId',
  id: number,
): Promise<string[]> {
  const readers = {
    strategy: unit.strategies,
    audit_template: unit.auditTemplates,
    audit: unit.audits,
    action_plan: unit.actionPlans,
  } as const;
  const reader = readers[kind.name as keyof typeof readers] as {
    list(query: { filters: { field: string; value: number }[] }): Promise<{ uuid: string }[]>;
  };
  return (await reader.list({ filters: [{ field, value: id }] })).map(({ uuid }) => uuid);
}
