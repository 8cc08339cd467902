import { UsageError } from '../errors.ts';
import type { Column } from './columns.ts';
import { findColumn, type OutputOptions, unknownColumn } from './output-options.ts';

/** A table before the options of the command line are applied: many rows, or one object with a field a line. */
export type TableSource = { title?: string; columns: readonly Column[] } & (
  | {
      rows: readonly object[];
      /** Further columns that `-c` and `--sort-column` may name. */
      more?: readonly Column[];
    }
  | { row: object }
);

/** A table with the chosen columns, sorted. */
export interface SelectedTable {
  title?: string;
  /** Whether it has one object, with a field a line. */
  isFields: boolean;
  rows: readonly object[];
  columns: readonly Column[];
}

/**
 * Applies `--column` and `--sort-column`. Chosen columns keep their order, as in cliff. Tables without any of the named
 * columns are left out.
 * @throws UsageError when a column is in none of the tables
 */
export function selectTables(sources: readonly TableSource[], options: OutputOptions): SelectedTable[] {
  const known = sources.flatMap(columnsOf);
  const missing = [...(options.column ?? []), ...(options.sortColumn ?? [])].find(
    (name) => findColumn(known, name) === undefined,
  );
  if (missing !== undefined) throw new UsageError(unknownColumn(known, missing));
  return sources.flatMap((source) => {
    const all = columnsOf(source);
    const chosen = options.column && new Set(options.column.map((name) => findColumn(all, name)));
    // A column of the command may be among the further ones too.
    const named = chosen && [...new Set(all)].filter((column) => chosen.has(column));
    if (named?.length === 0) return [];
    const isFields = 'row' in source;
    const rows = isFields ? [source.row] : sorted(source.rows, all, options);
    return [{ title: source.title, isFields, rows, columns: named ?? source.columns }];
  });
}

function columnsOf(source: TableSource): readonly Column[] {
  return 'row' in source ? source.columns : [...source.columns, ...(source.more ?? [])];
}

/** The first column counts most. Rows without a value come last in both directions. */
function sorted(
  rows: readonly object[],
  columns: readonly Column[],
  { sortColumn = [], sortDescending }: OutputOptions,
): readonly object[] {
  const fields = sortColumn.flatMap((name) => findColumn(columns, name)?.field ?? []);
  if (fields.length === 0) return rows;
  const direction = sortDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    for (const field of fields) {
      const order = compare((one as Row)[field], (other as Row)[field], direction);
      if (order !== 0) return order;
    }
    return 0;
  });
}

type Row = Readonly<Record<string, unknown>>;

function compare(one: unknown, other: unknown, direction: number): number {
  const [isOneAbsent, isOtherAbsent] = [one ?? null, other ?? null].map((value) => value === null);
  if (isOneAbsent || isOtherAbsent) return Number(isOneAbsent) - Number(isOtherAbsent);
  if (typeof one === 'number' && typeof other === 'number') return direction * (one - other);
  const [left, right] = [one, other].map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
  return left === right ? 0 : direction * (left! < right! ? -1 : 1);
}
