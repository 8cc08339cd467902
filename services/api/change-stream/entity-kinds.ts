import type {
  ActionPlanView,
  ActionView,
  AuditTemplateView,
  AuditView,
  Filter,
  ListQuery,
  ServiceView,
  UnitOfWork,
} from '#libs/store';
import { actionBody } from '../views/action-body.ts';
import { actionPlanBody, approvalFields, outcomeFields, planProgress } from '../views/action-plan-body.ts';
import { auditBody } from '../views/audit-body.ts';
import { auditTemplateBody } from '../views/audit-template-body.ts';
import { taskBody } from '../views/internal-bodies.ts';
import { goalBody, scoringEngineBody, serviceBody, strategyBody } from '../views/read-only-bodies.ts';
import {
  type EntityKind,
  type EntityQuery,
  groupBy,
  type LoadedEntity,
  loaded,
  named,
  namedKind,
  noParents,
  traits,
} from './entity-kind.ts';
import { ownKinds } from './own-kinds.ts';

/** All kinds that can be followed. A snapshot sends entities in this order, so parents come first. */
export const entityKinds: readonly EntityKind[] = [
  namedKind('goal', (unit, query) => unit.goals.list(listQuery(query)), goalBody),
  namedKind('strategy', (unit, query) => unit.strategies.list(listQuery(query)), strategyBody),
  namedKind('scoring_engine', (unit, query) => unit.scoringEngines.list(listQuery(query)), scoringEngineBody),
  {
    ...traits,
    name: 'service',
    rule: 'service:get',
    read: async (unit, query) => (await unit.services.list(serviceQuery(query))).map(loadedService),
  },
  {
    ...traits,
    name: 'task',
    rule: 'internal:read',
    hasState: true,
    read: async (unit, { keys, states, afterId, limit }) =>
      (await unit.tasks.select({ uuids: keys, states, afterId, limit })).map((row) =>
        loaded(
          { id: row.id, deleted: 0 },
          row.uuid,
          { ...noParents, state: row.state, keyFields: { ...named(row), state: row.state } },
          () => taskBody(row),
        ),
      ),
  },
  namedKind(
    'audit_template',
    (unit, query) => unit.auditTemplates.list(listQuery<AuditTemplateView>(query)),
    auditTemplateBody,
  ),
  {
    ...traits,
    name: 'audit',
    rule: 'audit:get',
    hasState: true,
    openStates: ['PENDING', 'ONGOING', 'SUSPENDED'],
    ofAudit: true,
    read: async (unit, query) =>
      (await unit.audits.list(listQuery<AuditView>(query, { audit: 'uuid', state: 'state' }))).map((row) =>
        loaded(
          row,
          row.uuid,
          { state: row.state, auditUuid: row.uuid, planUuid: null, keyFields: { ...named(row), state: row.state } },
          (context) => auditBody(row, 'full', context),
        ),
      ),
  },
  {
    ...traits,
    name: 'action_plan',
    rule: 'action_plan:get',
    hasState: true,
    openStates: ['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'],
    ofAudit: true,
    ofPlan: true,
    read: readPlans,
  },
  {
    ...traits,
    name: 'action',
    rule: 'action:get',
    hasState: true,
    // Pending and ended actions are read with their plan, because there may be many thousands.
    openStates: ['ONGOING', 'CANCELLING'],
    ofAudit: true,
    ofPlan: true,
    read: readActions,
  },
  ...ownKinds,
];

/** The kind with this name in the change log. Undefined for kinds that are not followed separately. */
export function kindNamed(name: string): EntityKind | undefined {
  return entityKinds.find((kind) => kind.name === name);
}

async function readPlans(unit: UnitOfWork, query: EntityQuery): Promise<LoadedEntity[]> {
  const rows = await unit.actionPlans.list(
    listQuery<ActionPlanView>(query, { audit: 'auditUuid', plan: 'uuid', state: 'state' }),
  );
  if (rows.length === 0) return [];
  const indicators = await unit.efficacyIndicators.list({
    filters: [{ field: 'actionPlanId', op: 'in', value: rows.map(({ id }) => id) }],
  });
  const byPlan = groupBy(indicators, (indicator) => indicator.actionPlanId);
  const counts = groupBy(await unit.actions.countStates(rows.map(({ id }) => id)), ({ actionPlanId }) => actionPlanId);
  const comments = await unit.planComments.counts(rows.map(({ id }) => id));
  return rows.map((row) =>
    loaded(
      row,
      row.uuid,
      {
        state: row.state,
        auditUuid: row.auditUuid,
        planUuid: row.uuid,
        keyFields: { uuid: row.uuid, audit_uuid: row.auditUuid, state: row.state },
      },
      (context) => ({
        ...actionPlanBody(row, byPlan.get(row.id) ?? [], 'full', context),
        progress: planProgress(counts.get(row.id) ?? []),
        outcome: outcomeFields(row),
        approval: approvalFields(row),
        comments: comments.get(row.id) ?? 0,
      }),
    ),
  );
}

async function readActions(unit: UnitOfWork, query: EntityQuery): Promise<LoadedEntity[]> {
  const rows = await unit.actions.list(
    listQuery<ActionView>(query, { audit: 'auditUuid', plan: 'actionPlanUuid', state: 'state' }),
  );
  if (rows.length === 0) return [];
  const texts = await unit.actionDescriptions.list();
  const descriptions = new Map(texts.map(({ actionType, description }) => [actionType, description]));
  return rows.map((row) =>
    loaded(
      row,
      row.uuid,
      {
        state: row.state,
        auditUuid: row.auditUuid,
        planUuid: row.actionPlanUuid,
        keyFields: { uuid: row.uuid, action_plan_uuid: row.actionPlanUuid, state: row.state },
      },
      (context) => actionBody(row, descriptions, 'full', context),
    ),
  );
}

function loadedService(row: ServiceView): LoadedEntity {
  const keyFields = { id: row.id, name: row.name, host: row.host };
  // Only live ones are read.
  const living = { id: row.id, deleted: 0 };
  return loaded(living, String(row.id), { ...noParents, keyFields }, (context) => serviceBody(row, 'full', context));
}

/** The fields of a view that a query selects. */
interface FieldNames<View> {
  audit?: keyof View & string;
  plan?: keyof View & string;
  state?: keyof View & string;
}

function listQuery<View extends { id: number; uuid: string }>(
  query: EntityQuery,
  fields: FieldNames<View> = {},
): ListQuery<View> {
  const filters: Filter<View>[] = [];
  if (query.keys) filters.push({ field: 'uuid', op: 'in', value: query.keys });
  if (query.auditUuid !== undefined && fields.audit) filters.push({ field: fields.audit, value: query.auditUuid });
  if (query.planUuid !== undefined && fields.plan) filters.push({ field: fields.plan, value: query.planUuid });
  if (query.states && fields.state) filters.push({ field: fields.state, op: 'in', value: query.states });
  return { ...page(query), filters: [...filters, ...afterId<View>(query)] };
}

function serviceQuery(query: EntityQuery): ListQuery<ServiceView> {
  const byId: Filter<ServiceView>[] = query.keys
    ? [{ field: 'id', op: 'in', value: query.keys.map(Number).filter(Number.isSafeInteger) }]
    : [];
  return { ...page({ ...query, deleted: false }), filters: [...byId, ...afterId<ServiceView>(query)] };
}

function afterId<View extends { id: number }>(query: EntityQuery): Filter<View>[] {
  return query.afterId === undefined ? [] : [{ field: 'id', op: 'gt', value: query.afterId }];
}

function page(query: EntityQuery): { limit?: number; showDeleted: boolean } {
  return { showDeleted: query.deleted ?? false, ...(query.limit === undefined ? {} : { limit: query.limit }) };
}
