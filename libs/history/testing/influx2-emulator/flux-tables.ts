/** A value in a table. Times differ from numbers. */
export type FluxValue =
  | { type: 'string'; value: string }
  | { type: 'double' | 'long' | 'dateTime:RFC3339'; value: number }
  | { type: 'boolean'; value: boolean };

export type FluxRow = Record<string, FluxValue>;

/** Rows with the same values in the columns of the group key. */
export interface FluxTable {
  key: string[];
  rows: FluxRow[];
}

/** The tables of one `yield`. */
export interface FluxResult {
  name: string;
  tables: FluxTable[];
}

/** A valid Flux query that the emulator does not support, or that Flux would refuse at run time. */
export class FluxEvaluationError extends Error {}

/** Text of a value, to compare group keys. */
function valueKey(value: FluxValue | undefined): string {
  return value === undefined ? '' : `${value.type}:${value.value}`;
}

/** Regroups by columns. The key of a table has only the columns of its rows. */
export function groupBy(tables: FluxTable[], columns: string[]): FluxTable[] {
  const groups = new Map<string, FluxTable>();
  for (const row of tables.flatMap((table) => table.rows)) {
    const key = columns.filter((column) => row[column] !== undefined);
    const id = JSON.stringify(key.map((column) => [column, valueKey(row[column])]));
    const group = groups.get(id) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** The columns of the group key of a row. */
export function keyRow(table: FluxTable): FluxRow {
  const first = table.rows[0] ?? {};
  return Object.fromEntries(table.key.flatMap((column) => (first[column] ? [[column, first[column]]] : [])));
}
