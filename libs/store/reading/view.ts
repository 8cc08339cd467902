import type { EntitySchema } from 'typeorm';
import type { DerivedField } from '../session/statement-cache.ts';

/** A many-to-one join; `on` uses the aliases, `entity` being the table of the view itself. */
export interface ViewJoin {
  /** Name of the joined schema, such as `Goal`. */
  entity: string;
  alias: string;
  on: string;
}

/** How rows of one kind are read: their table, what is joined, and the fields that the joins add. */
export interface ViewDefinition<Row, View extends Row> {
  /** Name in errors, such as `ActionPlan`. */
  entity: string;
  schema: EntitySchema<Row>;
  joins: ViewJoin[];
  derived: { [Field in Exclude<keyof View, keyof Row> & string]: DerivedField };
  /** Whether rows can be found by `name`. */
  named: boolean;
  /** What markers name and, beside a name, idents: `uuid`, or `id` for tables without one. */
  key: 'uuid' | 'id';
}
