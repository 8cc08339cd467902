import Table from 'cli-table3';
import { printable } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { type Column, cellText } from './columns.ts';
import { fitColumns, wrapText } from './fit-columns.ts';

type Row = object;

/** Plain text, without colours. */
const tableStyle = { style: { head: [], border: [] } };

/** The text of a table with a rule below its head only; the library draws one below every row. */
function compact(table: Table.Table): string {
  const lines = table.toString().split('\n');
  const headRule = lines.findIndex(isRule);
  return `${lines.filter((line, index) => index === headRule || !isRule(line)).join('\n')}\n`;
}

function isRule(line: string): boolean {
  return line.startsWith('├');
}

/** Prints many rows, as a table with a line each or as a JSON array. */
export function printRows(
  context: CliContext,
  json: boolean | undefined,
  rows: readonly Row[],
  columns: Column[],
): void {
  if (json) {
    printJson(context, rows);
    return;
  }
  printTable(context, [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((entry) => cell(row, entry))),
  ]);
}

/** Prints one row, as a table with a line per field or as a JSON object. */
export function printRow(context: CliContext, json: boolean | undefined, row: Row, columns: Column[]): void {
  if (json) {
    printJson(context, row);
    return;
  }
  printTable(context, [['Field', 'Value'], ...columns.map((entry) => [entry.title, cell(row, entry)])]);
}

/** A table of a head and rows, no wider than the terminal. */
function printTable(context: CliContext, texts: string[][]): void {
  const widths = context.columns === undefined ? null : fitColumns(texts, context.columns);
  const fit = (row: string[]) =>
    row.map((text, column) => wrapText(text, widths?.[column] ?? Number.POSITIVE_INFINITY));
  const [head = [], ...rows] = texts.map(fit);
  const table = new Table({ head, ...tableStyle });
  table.push(...rows);
  context.out(compact(table));
}

/** Prints a value as JSON. */
export function printJson(context: CliContext, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`);
}

function cell(row: Row, { field, format }: Column): string {
  return printable(cellText((row as Record<string, unknown>)[field], format), '\n');
}
