import Table from 'cli-table3';
import { millisOf, relativeTime } from '#libs/client';
import { printable } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { type Column, cellText } from './columns.ts';
import { type ColumnNature, fitColumns, wrapText } from './fit-columns.ts';

type Row = object;

/** Plain text, without colours. */
const tableStyle = { style: { head: [], border: [] } };

/** The text of a table with a rule below its head only. The library draws one below every row. */
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
  const cells = rows.map((row) => columns.map((entry) => cell(context, row, entry)));
  const shown = printTable(context, [columns.map(({ title }) => title), ...cells], columns);
  const hidden = columns.filter((_, position) => !shown.includes(position)).map(({ title }) => title);
  if (hidden.length === 0) return;
  context.err(
    `not shown at ${context.columns} columns: ${hidden.join(', ')}; a wider terminal or --json has ${hidden.length > 1 ? 'them' : 'it'}\n`,
  );
}

/** Prints one row, as a table with a line per field or as a JSON object. */
export function printRow(context: CliContext, json: boolean | undefined, row: Row, columns: Column[]): void {
  if (json) {
    printJson(context, row);
    return;
  }
  const lines = columns.map((entry) => [entry.title, cell(context, row, entry, true)]);
  printTable(context, [['Field', 'Value'], ...lines], [{}, { isText: true }]);
}

/** A table of a head and rows, no wider than the terminal. Returns the positions of the columns that fit. */
function printTable(context: CliContext, texts: string[][], natures: readonly ColumnNature[]): number[] {
  const fitting = context.columns === undefined ? null : fitColumns(texts, context.columns, natures);
  const shown = fitting?.shown ?? natures.map((_, position) => position);
  const fit = (row: string[]) =>
    shown.map((position, index) => wrapText(row[position] ?? '', fitting?.widths[index] ?? Number.POSITIVE_INFINITY));
  const [head = [], ...rows] = texts.map(fit);
  const table = new Table({ head, ...tableStyle });
  table.push(...rows);
  context.out(compact(table));
  return shown;
}

/** Prints a value as JSON. */
export function printJson(context: CliContext, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** @param isFull whether a time is shown in full beside its age. */
function cell({ now }: CliContext, row: Row, { field, format, isTime }: Column, isFull = false): string {
  const fields = row as Record<string, unknown>;
  const value = fields[field];
  const text = format ? format(value, fields) : cellText(value);
  const millis = isTime ? millisOf(text) : null;
  if (millis === null) return printable(text, '\n');
  const ago = relativeTime(millis, now());
  return isFull ? `${text} (${ago})` : ago;
}
