import type { PublishedState, ServiceInstance, UnitOfWork } from '#libs/store';
import { auditLogBody, placementRuleBody } from '../views/internal-bodies.ts';
import {
  type EntityKind,
  type EntityQuery,
  type LoadedEntity,
  loaded,
  named,
  noParents,
  traits,
} from './entity-kind.ts';

/** Entries of the audit log in a full state. Clients request older ones separately. */
const auditLogEntries = 100;
/** Key of a kind's only entity. */
export const graphKey = 'graph';

const only = (query: EntityQuery, key: string) => !query.keys || query.keys.includes(key);

/**
 * Kinds that Watcher does not have: processes, the resource graph, models of the cloud, dead letters, the audit log and
 * operators' rules.
 */
export const ownKinds: readonly EntityKind[] = [
  { ...traits, name: 'service_instance', rule: 'internal:read', read: readInstances },
  { ...traits, name: 'resource_graph', rule: 'internal:read', read: readGraph },
  { ...traits, name: 'data_model', rule: 'data_model:get_all', read: readStates('data_model') },
  { ...traits, name: 'dead_letters', rule: 'internal:read', read: readStates('dead_letters') },
  { ...traits, name: 'audit_log', rule: 'internal:read', read: readEntries },
  { ...traits, name: 'placement_rule', rule: 'internal:read', read: readRules },
];

function paged(entities: LoadedEntity[], { afterId = 0, limit }: EntityQuery): LoadedEntity[] {
  const rest = entities.filter(({ id }) => id > afterId).sort((a, b) => a.id - b.id);
  return limit === undefined ? rest : rest.slice(0, limit);
}

async function readInstances(unit: UnitOfWork, query: EntityQuery): Promise<LoadedEntity[]> {
  const rows = (await unit.registry.listInstances()).filter(({ instanceId }) => only(query, instanceId));
  const entities = rows.map((row) =>
    loaded(
      { id: row.fence, deleted: 0 },
      row.instanceId,
      { ...noParents, keyFields: { uuid: row.instanceId, name: row.serviceName } },
      () => instanceBody(row),
    ),
  );
  return paged(entities, query);
}

function instanceBody(row: ServiceInstance) {
  return {
    uuid: row.instanceId,
    name: row.serviceName,
    type: row.serviceType,
    host: row.host,
    state: row.state,
    version: row.version,
    pid: row.pid,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    end_reason: row.endReason,
    failed_checks: row.failedChecks,
    accepts_work: row.acceptsWork,
  };
}

async function readGraph(unit: UnitOfWork, query: EntityQuery): Promise<LoadedEntity[]> {
  if (!only(query, graphKey)) return [];
  const { edges, newest } = await unit.registry.graphSize();
  const body = { id: graphKey, edges, newest_edge_since: newest?.toISOString() ?? null };
  const entity = loaded({ id: 1, deleted: 0 }, graphKey, { ...noParents, keyFields: { id: graphKey } }, () => body);
  return paged([entity], query);
}

function readStates(kind: string): EntityKind['read'] {
  return async (unit, query) => {
    const states = await unit.publishedStates.list(kind);
    return paged(
      states.map(stateEntity).filter(({ key }) => only(query, key)),
      query,
    );
  };
}

function stateEntity({ name, doc }: PublishedState, index: number): LoadedEntity {
  const row = { id: index + 1, deleted: 0 };
  return loaded(row, name, { ...noParents, keyFields: { id: name } }, () => ({ id: name, ...doc }));
}

async function readEntries(unit: UnitOfWork, { keys, afterId, limit }: EntityQuery): Promise<LoadedEntity[]> {
  const rows = await unit.auditLog.select({ uuids: keys, newest: auditLogEntries, afterId, limit });
  return rows.map((row) =>
    loaded({ id: row.id, deleted: 0 }, row.uuid, { ...noParents, keyFields: { uuid: row.uuid } }, () =>
      auditLogBody(row),
    ),
  );
}

async function readRules(unit: UnitOfWork, { keys, afterId, limit, deleted }: EntityQuery): Promise<LoadedEntity[]> {
  const rows = await unit.placementRules.list({
    filters: [
      ...(keys ? [{ field: 'uuid', op: 'in', value: keys } as const] : []),
      ...(afterId === undefined ? [] : [{ field: 'id', op: 'gt', value: afterId } as const]),
    ],
    showDeleted: deleted ?? false,
    ...(limit === undefined ? {} : { limit }),
  });
  return rows.map((row) =>
    loaded(row, row.uuid, { ...noParents, keyFields: named(row) }, () => placementRuleBody(row)),
  );
}
