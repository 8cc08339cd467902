import type { EntityBase } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';
import type { ViewContext } from '../views/view-context.ts';

/** An entity as read from one snapshot. */
export interface LoadedEntity {
  /** Row id. Pages are sorted by it. */
  id: number;
  /** Uuid, or for services the id as text. */
  key: string;
  isLive: boolean;
  /** Null for kinds without a state. */
  state: string | null;
  auditUuid: string | null;
  planUuid: string | null;
  /** Fields that are sent for a removed entity. */
  keyFields: Readonly<Record<string, unknown>>;
  /**
   * Body of GET for the single entity. A plan includes its progress and outcome. Kinds that exist only in the internal
   * API use its body.
   */
  body(context: ViewContext): object;
}

/** Which entities of a kind are read. */
export interface EntityQuery {
  keys?: readonly string[];
  auditUuid?: string;
  planUuid?: string;
  states?: readonly string[];
  /** Only rows with a greater id. */
  afterId?: number;
  limit?: number;
  /** Also soft-deleted ones. */
  deleted?: boolean;
}

/** A kind of entity that can be followed. */
export interface EntityKind {
  name: string;
  /** Policy rule of GET. */
  rule: string;
  hasState: boolean;
  /** States that count as open, for a full state with open entities only. Absent: all entities are open. */
  openStates?: readonly string[];
  /** Whether entities belong to an audit, or to a plan. */
  ofAudit: boolean;
  ofPlan: boolean;
  /** Rows in order of id, with all data that their bodies show. */
  read(unit: UnitOfWork, query: EntityQuery): Promise<LoadedEntity[]>;
}

/** For a kind without states that belongs to nothing. */
export const traits = { hasState: false, ofAudit: false, ofPlan: false };

/** For an entity without a state that belongs to nothing. */
export const noParents = { state: null, auditUuid: null, planUuid: null };

/** A row as an entity of the stream. */
export function loaded(
  row: Pick<EntityBase, 'id' | 'deleted'>,
  key: string,
  rest: Pick<LoadedEntity, 'state' | 'auditUuid' | 'planUuid' | 'keyFields'>,
  body: LoadedEntity['body'],
): LoadedEntity {
  return { id: row.id, key, isLive: row.deleted === 0, ...rest, body };
}

/** Key fields of a removed entity that has a name. */
export function named({ uuid, name }: { uuid: string; name: string }): { uuid: string; name: string } {
  return { uuid, name };
}

/** A kind whose entities have a name, no state, and belong to nothing. */
export function namedKind<Row extends Pick<EntityBase, 'id' | 'deleted' | 'uuid'> & { name: string }>(
  name: string,
  list: (unit: UnitOfWork, query: EntityQuery) => Promise<Row[]>,
  bodyOf: (row: Row, extent: 'full', context: ViewContext) => object,
): EntityKind {
  return {
    ...traits,
    name,
    rule: `${name}:get`,
    read: async (unit, query) =>
      (await list(unit, query)).map((row) =>
        loaded(row, row.uuid, { ...noParents, keyFields: named(row) }, (context) => bodyOf(row, 'full', context)),
      ),
  };
}

/** Items grouped by `keyOf`, in their order. */
export function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
