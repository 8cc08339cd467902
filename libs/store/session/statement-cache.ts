import { createRecentMap } from '#libs/service-kit';

/** A query with the names of its parameters in the order of `$1`, `$2`, …. */
export interface Statement {
  text: string;
  parameters: string[];
  /** Name of the prepared statement. Null until it has been used often enough. */
  name: string | null;
}

/** Cached texts of reads. Each text is created once. Frequent statements are parsed and planned once per connection. */
export interface StatementCache {
  /** The statement for `key`. A new one is created by `build`, with parameters as `:name`. */
  statement(key: string, build: () => string): Statement;
  /** The fields of a view by name. `build` is called once. */
  fields(view: string, build: () => Map<string, DerivedField>): Map<string, DerivedField>;
}

/** Maximum number of cached statements. */
const maxStatements = 1000;
/** Maximum number of prepared statements, because every connection keeps them until its end. */
const maxPrepared = 200;
/** Number of uses before a statement is prepared. */
const frequentUses = 3;

const parameterName = /:(filter\d+|markerKey|markerId|marker|ident|id)\b/g;

function parse(query: string): Statement {
  const parameters: string[] = [];
  const text = query.replace(parameterName, (_, name: string) => {
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { text, parameters, name: null };
}

/** An empty cache. */
export function createStatementCache(): StatementCache {
  const known = createRecentMap<string, { statement: Statement; uses: number }>(maxStatements);
  const fields = new Map<string, Map<string, DerivedField>>();
  let prepared = 0;
  return {
    statement(key, build) {
      let entry = known.get(key);
      if (!entry) {
        entry = { statement: parse(build()), uses: 0 };
        known.set(key, entry);
      }
      entry.uses += 1;
      if (entry.uses === frequentUses && prepared < maxPrepared) {
        prepared += 1;
        entry.statement.name = `read_${prepared}`;
      }
      return entry.statement;
    },
    fields(view, build) {
      const made = fields.get(view) ?? build();
      fields.set(view, made);
      return made;
    },
  };
}

/** A value of a view that is not a column of its table: an expression over the joined aliases, and its SQL type. */
export interface DerivedField {
  expression: string;
  type: string;
  /** Whether rows may have no value. Default true. */
  nullable?: boolean;
  /** The sort expression, as text, for types without an order. */
  order?: string;
}
