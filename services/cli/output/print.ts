import type { CliContext } from '../cli-context.ts';
import type { Column } from './columns.ts';
import type { OutputOptions } from './output-options.ts';
import { hasFrame, printTable } from './print-table.ts';
import { csvText, jsonText, machineValue, shellText, valueText, yamlText } from './print-values.ts';
import { type SelectedTable, selectTables, type TableSource } from './select-tables.ts';

/**
 * Prints many rows: a table with a line each, or the format of `options`.
 * @param more further columns that `-c` may name.
 * @throws UsageError when a named column does not exist
 */
export function printRows(
  context: CliContext,
  options: OutputOptions,
  rows: readonly object[],
  columns: readonly Column[],
  more: readonly Column[] = [],
): void {
  printOne(context, options, rows, { rows, columns, more });
}

/** Prints one object: a table with a line per field, or the format of `options`. */
export function printRow(context: CliContext, options: OutputOptions, row: object, columns: readonly Column[]): void {
  printOne(context, options, row, { row, columns });
}

/**
 * Prints several tables. `--json`, and the formats json and yaml without `-c`, print `whole` instead, with the names of
 * the API. With `-c`, tables without any of these columns are left out.
 */
export function printTables(
  context: CliContext,
  options: OutputOptions,
  whole: unknown,
  sources: readonly TableSource[],
): void {
  const isStructured = options.json || options.format === 'json' || options.format === 'yaml';
  if (isStructured && !options.column) {
    context.out(options.format === 'yaml' ? yamlText(whole) : jsonText(whole, options));
    return;
  }
  const tables = selectTables(sources, options).filter(({ rows }) => rows.length > 0);
  const isApart = !isTable(options) || !hasFrame(context, options);
  for (const [index, table] of tables.entries()) {
    if (index > 0 && isApart) context.out('\n');
    printSelected(context, options, table);
  }
}

/** Prints a value as JSON. */
export function printJson(context: CliContext, value: unknown, options: OutputOptions = {}): void {
  context.out(jsonText(value, options));
}

/** Whether the command prints a human-readable table, with lines of text around it. */
export function isTable({ json, format = 'table' }: OutputOptions): boolean {
  return !json && format === 'table';
}

function printOne(context: CliContext, options: OutputOptions, whole: unknown, source: TableSource): void {
  if (options.json && !options.column && !options.sortColumn) printJson(context, whole, options);
  else for (const table of selectTables([source], options)) printSelected(context, options, table);
}

function printSelected(context: CliContext, options: OutputOptions, table: SelectedTable): void {
  if (options.json) context.out(jsonText(machineValue(table, true), options));
  else if (options.format === 'json') context.out(jsonText(machineValue(table), options));
  else if (options.format === 'yaml') context.out(yamlText(machineValue(table)));
  else if (options.format === 'csv') context.out(csvText(table, options.quote));
  else if (options.format === 'value') context.out(valueText(table));
  else if (options.format === 'shell') context.out(shellText(table, options.prefix));
  else printTable(context, options, table);
}
