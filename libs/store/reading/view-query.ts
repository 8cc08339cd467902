import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { InvalidInputError, NotFoundError } from '#libs/domain';
import type { Filter, ListQuery } from '../contract.ts';
import { conditionOf, isUuid } from './filters.ts';
import { afterMarker, type MarkerRow } from './paging.ts';
import type { DerivedField, ViewDefinition } from './view.ts';

/** Reads of one view through one entity manager. */
export interface ViewQuery<View> {
  byIdent(ident: string, showDeleted: boolean): Promise<View | null>;
  byId(id: number): Promise<View>;
  list(query: ListQuery<View>): Promise<View[]>;
  count(filters: Filter<View>[]): Promise<number>;
}

/** Name of the selected text that rows of a type without order are sorted by; never handed out. */
const orderAlias = 'sortText';

/** Bound to `manager`, without state of its own. */
export function viewQuery<Row extends { id: number }, View extends Row>(
  manager: EntityManager,
  view: ViewDefinition<Row, View>,
): ViewQuery<View> {
  const fields = fieldsOf(manager, view);

  function fieldOf(name: string): DerivedField {
    const field = fields.get(name);
    if (!field) throw new InvalidInputError(name, `${view.entity} has no such field`);
    return field;
  }

  function from(): SelectQueryBuilder<Row> {
    const query = manager.createQueryBuilder(view.schema, 'entity').select([]);
    for (const join of view.joins) query.leftJoin(join.entity, join.alias, join.on);
    return query;
  }

  function selectAll(): SelectQueryBuilder<Row> {
    const query = from();
    for (const [name, field] of fields) query.addSelect(field.expression, name);
    return query;
  }

  function filtered(query: SelectQueryBuilder<Row>, filters: Filter<View>[], showDeleted: boolean) {
    if (!showDeleted) query.andWhere('entity.deleted = 0');
    for (const [index, filter] of filters.entries()) {
      const condition = conditionOf(fieldOf(filter.field), filter as Filter<never>, `filter${index}`);
      query.andWhere(condition.sql, condition.parameters);
    }
    return query;
  }

  async function markerRow(marker: string, sort: DerivedField): Promise<MarkerRow> {
    const query = from()
      .addSelect('entity.id', 'id')
      .addSelect(sort.order ?? `CAST(${sort.expression} AS text)`, 'key');
    const found = keyIsPossible(view, marker)
      ? await query.where(`entity.${view.key} = :marker`, { marker }).getRawOne<MarkerRow>()
      : undefined;
    if (!found) throw new NotFoundError(view.entity, marker);
    return found;
  }

  /** A name may belong to a live row and to deleted ones: the live one, else the one deleted last. */
  async function newest(condition: string, ident: string, showDeleted: boolean): Promise<View | null> {
    const query = selectAll().where(condition, { ident });
    if (!showDeleted) query.andWhere('entity.deleted = 0');
    const rows = await query.orderBy('(entity.deleted <> 0)').addOrderBy('entity.id', 'DESC').limit(1).getRawMany();
    return rows[0] ?? null;
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
      const row = await selectAll().where('entity.id = :id', { id }).getRawOne<View>();
      if (!row) throw new NotFoundError(view.entity, String(id));
      return row;
    },

    async list(options) {
      const direction = options.sortDir ?? 'asc';
      const sortKey = options.sortKey ?? 'id';
      const sort = fieldOf(sortKey);
      const query = filtered(selectAll(), options.filters ?? [], options.showDeleted ?? false);
      if (options.marker !== undefined) {
        const condition = afterMarker(sort, direction, await markerRow(options.marker, sort));
        query.andWhere(condition.sql, condition.parameters);
      }
      orderBy(query, sortKey, sort, direction);
      if (options.limit !== undefined) query.limit(options.limit);
      const rows = await query.getRawMany<View & { [orderAlias]?: string }>();
      for (const row of rows) delete row[orderAlias];
      return rows;
    },

    async count(filters) {
      const row = await filtered(from().addSelect('count(*)', 'total'), filters, false).getRawOne<{ total: number }>();
      return row?.total ?? 0;
    },
  };
}

/** Rows without a value come first when ascending and last when descending, as in Watcher's databases. */
function orderBy<Row extends { id: number }>(
  query: SelectQueryBuilder<Row>,
  sortKey: string,
  sort: DerivedField,
  direction: 'asc' | 'desc',
): void {
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  // Without the hint where no row lacks a value, so that an index on the column serves the order.
  const nulls = order === 'ASC' ? 'NULLS FIRST' : 'NULLS LAST';
  if (sort.order !== undefined) query.addSelect(sort.order, orderAlias);
  query.orderBy(sort.order === undefined ? sortKey : orderAlias, order, sort.nullable === false ? undefined : nulls);
  if (sortKey !== 'id') query.addOrderBy('id', order);
}

/** Whether `ident` can be a value of the key column; anything else would be an error of the database. */
function keyIsPossible(view: { key: 'uuid' | 'id' }, ident: string): boolean {
  return view.key === 'uuid' ? isUuid(ident) : /^\d{1,15}$/.test(ident);
}

/** Every field of the view by name: the table's columns and the derived ones. */
function fieldsOf<Row, View extends Row>(
  manager: EntityManager,
  view: ViewDefinition<Row, View>,
): Map<string, DerivedField> {
  const fields = new Map<string, DerivedField>();
  for (const column of manager.connection.getMetadata(view.schema).columns) {
    const expression = `entity.${column.propertyName}`;
    const type = String(column.type);
    const order = type === 'json' ? `CAST(${expression} AS text)` : undefined;
    fields.set(column.propertyName, { expression, type, nullable: column.isNullable, order });
  }
  for (const [name, field] of Object.entries<DerivedField>(view.derived)) fields.set(name, field);
  return fields;
}
