/** Data that is lost when migrations are reverted. Empty tables and columns are left out. */
export interface SchemaLosses {
  tables: { name: string; rows: number }[];
  /** Columns of tables that stay. `values` are those that are not null. */
  columns: { table: string; name: string; values: number }[];
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Columns by table. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** Current tables of the store's schema with their columns. */
export async function readShape(query: Query): Promise<Shape> {
  const rows = await query(
    `SELECT cls.relname AS "table", att.attname AS "column" FROM pg_class AS cls
     JOIN pg_attribute AS att ON att.attrelid = cls.oid AND att.attnum > 0 AND NOT att.attisdropped
     WHERE cls.relnamespace = current_schema()::regnamespace AND cls.relkind IN ('r', 'p') ORDER BY 1, att.attnum`,
  );
  const shape = new Map<string, Set<string>>();
  for (const row of rows) {
    const table = String(row.table);
    shape.set(table, (shape.get(table) ?? new Set()).add(String(row.column)));
  }
  return shape;
}

/** Counts the data in the tables and columns of `before` that `after` lacks. */
export async function countLosses(query: Query, before: Shape, after: Shape): Promise<SchemaLosses> {
  const losses: SchemaLosses = { tables: [], columns: [] };
  for (const [table, columns] of before) {
    const left = after.get(table);
    if (!left) {
      losses.tables.push({ name: table, rows: await count(query, `SELECT count(*) AS count FROM ${quoted(table)}`) });
      continue;
    }
    for (const column of columns) {
      if (left.has(column)) continue;
      const values = await count(query, `SELECT count(${quoted(column)}) AS count FROM ${quoted(table)}`);
      losses.columns.push({ table, name: column, values });
    }
  }
  return losses;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function count(query: Query, sql: string): Promise<number> {
  const [row] = await query(sql);
  return Number(row?.count);
}
