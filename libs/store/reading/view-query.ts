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
    const query = from().addSelect('entity.id', 'id').addSelect(`CAST(${sort.expression} AS text)`, 'key');
    const found = keyIsPossible(view, marker)
      ? await query.where(`entity.${view.key} = :marker`, { marker }).getRawOne<MarkerRow>()
      : undefined;
    if (!found) throw new NotFoundError(view.entity, marker);
    return found;
  }

  return {
    async byIdent(ident, showDeleted) {
      const byKey = keyIsPossible(view, ident);
      if (!byKey && !view.named) return null;
      const query = selectAll().where(byKey ? `entity.${view.key} = :ident` : 'entity.name = :ident', { ident });
      if (!showDeleted) query.andWhere('entity.deleted = 0');
      // A name may belong to a live row and to deleted ones: the live one, else the one deleted last.
      const rows = await query.orderBy('(entity.deleted <> 0)').addOrderBy('entity.id', 'DESC').limit(1).getRawMany();
      return rows[0] ?? null;
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
      const order = direction === 'asc' ? 'ASC' : 'DESC';
      query.orderBy(sortKey, order);
      if (sortKey !== 'id') query.addOrderBy('id', order);
      if (options.limit !== undefined) query.limit(options.limit);
      return query.getRawMany<View>();
    },

    async count(filters) {
      const row = await filtered(from().addSelect('count(*)', 'total'), filters, false).getRawOne<{ total: number }>();
      return row?.total ?? 0;
    },
  };
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
    fields.set(column.propertyName, { expression: `entity.${column.propertyName}`, type: String(column.type) });
  }
  for (const [name, field] of Object.entries<DerivedField>(view.derived)) fields.set(name, field);
  return fields;
}
