import type { EntitySchema } from 'typeorm';
import type { DerivedField } from './session/statement-cache.ts';

/** Comparison operator of a field. */
export type FilterOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'notin';

/** One condition on a view field. `value` is a list for `in` and `notin`. All conditions of a query must hold. */
export interface Filter<View> {
  field: keyof View & string;
  op?: FilterOperator;
  value: unknown;
}

/** A page of a list: sorted by `sortKey` then `id`, start after the row whose uuid (id for services) is `marker`. */
export interface ListQuery<View> {
  filters?: Filter<View>[];
  sortKey?: keyof View & string;
  sortDir?: 'asc' | 'desc';
  /** Most rows. All when absent. */
  limit?: number;
  marker?: string;
  /** Whether to include soft-deleted rows. Default false. */
  showDeleted?: boolean;
}

/** A many-to-one join. `on` uses the aliases, `entity` being the table of the view itself. */
interface ViewJoin {
  /** Name of the joined schema, such as `Goal`. */
  entity: string;
  alias: string;
  on: string;
}

/** Definition of a view: its table, the joins, and the joined fields. */
export interface ViewDefinition<Row, View extends Row> {
  /** Name in errors, such as `ActionPlan`. */
  entity: string;
  schema: EntitySchema<Row>;
  joins: ViewJoin[];
  derived: { [Field in Exclude<keyof View, keyof Row> & string]: DerivedField };
  /** Whether rows can be found by `name`. */
  named: boolean;
  /** The column that markers and, besides names, idents refer to: `uuid`, or `id` for tables without one. */
  key: 'uuid' | 'id';
}

/** Names of the product as the list of an SQL `IN`. Not for text from outside. */
export function textList(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
