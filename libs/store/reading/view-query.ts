import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { NotFoundError } from '#libs/domain';
import type { Filter, ListQuery, ViewDefinition } from '../list-query.ts';
import type { DerivedField, StatementCache } from '../session/statement-cache.ts';
import { type Condition, isUuid } from './filters.ts';
import { createViewStatements } from './view-statements.ts';

/** Reads of one view through one entity manager. */
export interface ViewQuery<View> {
  byIdent(ident: string, showDeleted: boolean): Promise<View | null>;
  byId(id: number): Promise<View>;
  list(query: ListQuery<View>): Promise<View[]>;
  count(filters: Filter<View>[]): Promise<number>;
}

/** Name of the selected text that sorts types without an order. It is not part of the result. */
const orderAlias = 'sortText';

/** Bound to `manager`, stateless except for texts in `statements`. */
export function viewQuery<Row extends { id: number }, View extends Row>(
  manager: EntityManager,
  view: ViewDefinition<Row, View>,
  statements: StatementCache,
): ViewQuery<View> {
  const { fieldOf, from, selectAll, conditionsOf, run } = createViewStatements(manager, view, statements);

  async function markerRow(marker: string, sort: DerivedField): Promise<MarkerRow> {
    const key = sort.order ?? `CAST(${sort.expression} AS text)`;
    const condition = { sql: `entity.${view.key} = :marker`, parameters: { marker } };
    const [found] = keyIsPossible(view, marker)
      ? await run<MarkerRow>('marker', [condition], key, () =>
          from().addSelect('entity.id', 'id').addSelect(key, 'key'),
        )
      : [];
    if (!found) throw new NotFoundError(view.entity, marker);
    return found;
  }

  /** A name may belong to a live row and to deleted ones: the live one has precedence, then the one deleted last. */
  async function newest(sql: string, ident: string, showDeleted: boolean): Promise<View | null> {
    const conditions = [{ sql, parameters: { ident } }, ...conditionsOf([], showDeleted)];
    const [row] = await run<View>('newest', conditions, '', () =>
      selectAll().orderBy('(entity.deleted <> 0)').addOrderBy('entity.id', 'DESC').limit(1),
    );
    return row ?? null;
  }

  return {
    async byIdent(ident, showDeleted) {
      const byKey = keyIsPossible(view, ident);
      if (!byKey && !view.named) return null;
      if (byKey) return newest(`entity.${view.key} = :ident`, ident, showDeleted);
      const exact = await newest('entity.name = :ident', ident, showDeleted);
      return exact ?? newest('lower(entity.name) = lower(:ident)', ident, showDeleted);
    },

    async byId(id) {
      const [row] = await run<View>('id', [{ sql: 'entity.id = :id', parameters: { id } }], '', selectAll);
      if (!row) throw new NotFoundError(view.entity, String(id));
      return row;
    },

    async list(options) {
      const direction = options.sortDir ?? 'asc';
      const sortKey = options.sortKey ?? 'id';
      const sort = fieldOf(sortKey);
      const conditions = conditionsOf(options.filters ?? [], options.showDeleted ?? false);
      if (options.marker !== undefined) {
        conditions.push(afterMarker(sort, direction, await markerRow(options.marker, sort)));
      }
      const { limit } = options;
      const rows = await run<View & { [orderAlias]?: string }>(
        'list',
        conditions,
        `${sortKey} ${direction} ${limit}`,
        () => {
          const query = selectAll();
          orderBy(query, sortKey, sort, direction);
          return limit === undefined ? query : query.limit(limit);
        },
      );
      if (sort.order !== undefined) for (const row of rows) delete row[orderAlias];
      return rows;
    },

    async count(filters) {
      const [row] = await run<{ total: number }>('count', conditionsOf(filters, false), '', () =>
        from().addSelect('count(*)', 'total'),
      );
      return row?.total ?? 0;
    },
  };
}

/** Rows without a value are first when ascending and last when descending, as in Watcher's databases. */
function orderBy<Row extends { id: number }>(
  query: SelectQueryBuilder<Row>,
  sortKey: string,
  sort: DerivedField,
  direction: 'asc' | 'desc',
): void {
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  // Without the hint if each row has a value, so an index on the column provides the order.
  const nulls = order === 'ASC' ? 'NULLS FIRST' : 'NULLS LAST';
  if (sort.order !== undefined) query.addSelect(sort.order, orderAlias);
  query.orderBy(sort.order === undefined ? sortKey : orderAlias, order, sort.nullable === false ? undefined : nulls);
  if (sortKey !== 'id') query.addOrderBy('id', order);
}

/** Whether `ident` can be a value of the key column. Other values would be an error of the database. */
function keyIsPossible(view: { key: 'uuid' | 'id' }, ident: string): boolean {
  return view.key === 'uuid' ? isUuid(ident) : /^\d{1,15}$/.test(ident);
}

/** The row after which a page starts: its id, and its sort key as text (null without a value). */
interface MarkerRow {
  id: number;
  key: string | null;
}

/**
 * Rows after `marker` in the order of `field`, then `id`, both in the same direction. Rows without a value are first
 * when ascending and last when descending, as in Watcher's databases. The key is text because a JavaScript date would
 * lose its microseconds.
 */
function afterMarker(field: DerivedField, direction: 'asc' | 'desc', marker: MarkerRow): Condition {
  const sign = direction === 'asc' ? '>' : '<';
  const parameters = { markerKey: marker.key, markerId: marker.id };
  const key = field.order ?? field.expression;
  const type = field.order === undefined ? field.type : 'text';
  if (marker.key === null) {
    const sameRank = `${key} IS NULL AND entity.id ${sign} :markerId`;
    return {
      sql: direction === 'asc' ? `(${key} IS NOT NULL OR (${sameRank}))` : `(${sameRank})`,
      parameters,
    };
  }
  const later = `(${key}, entity.id) ${sign} (CAST(:markerKey AS ${type}), :markerId)`;
  return { sql: direction === 'desc' && field.nullable !== false ? `(${later} OR ${key} IS NULL)` : later, parameters };
}
