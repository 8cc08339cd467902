import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { InvalidInputError } from '#libs/domain';
import type { Filter, ViewDefinition } from '../list-query.ts';
import { runStatement } from '../session/run-statement.ts';
import type { DerivedField, StatementCache } from '../session/statement-cache.ts';
import { type Condition, conditionOf } from './filters.ts';

/** Parts of the statements of one view. Each statement is built once for each kind and set of conditions. */
export interface ViewStatements<Row extends { id: number }, View extends Row> {
  /** @throws InvalidInputError when the view has no such field */
  fieldOf(name: string): DerivedField;
  /** Selects nothing from the joined tables of the view. */
  from(): SelectQueryBuilder<Row>;
  /** Selects every field of the view. */
  selectAll(): SelectQueryBuilder<Row>;
  conditionsOf(filters: Filter<View>[], showDeleted: boolean): Condition[];
  /** Runs the query of `build`. It calls `build` only for the first query of this kind, conditions and `rest`. */
  run<Result>(
    kind: string,
    conditions: Condition[],
    rest: string,
    build: () => SelectQueryBuilder<Row>,
  ): Promise<Result[]>;
}

/** Bound to `manager`, stateless except for texts in `statements`. */
export function createViewStatements<Row extends { id: number }, View extends Row>(
  manager: EntityManager,
  view: ViewDefinition<Row, View>,
  statements: StatementCache,
): ViewStatements<Row, View> {
  const fields = statements.fields(view.entity, () => fieldsOf(manager, view));

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

  function conditionsOf(filters: Filter<View>[], showDeleted: boolean): Condition[] {
    const conditions = filters.map((filter, index) =>
      conditionOf(fieldOf(filter.field), filter as Filter<never>, `filter${index}`),
    );
    return showDeleted ? conditions : [{ sql: 'entity.deleted = 0', parameters: {} }, ...conditions];
  }

  function run<Result>(
    kind: string,
    conditions: Condition[],
    rest: string,
    build: () => SelectQueryBuilder<Row>,
  ): Promise<Result[]> {
    const key = [view.entity, kind, ...conditions.map(({ sql }) => sql), rest].join('\n');
    const statement = statements.statement(key, () => {
      const query = build();
      for (const { sql } of conditions) query.andWhere(sql);
      return query.getQuery();
    });
    return runStatement(manager, statement, Object.assign({}, ...conditions.map(({ parameters }) => parameters)));
  }

  return { fieldOf, from, selectAll, conditionsOf, run };
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
