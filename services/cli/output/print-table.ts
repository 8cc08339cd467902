import Table from 'cli-table3';
import { millisOf, relativeTime } from '#libs/client';
import { printable } from '#libs/domain';
import { type CliContext, note } from '../cli-context.ts';
import { type Column, cellText, objectText } from './columns.ts';
import { type ColumnNature, fitColumns, wrapText } from './fit-columns.ts';
import type { OutputOptions } from './output-options.ts';
import type { SelectedTable } from './select-tables.ts';
import { tableWidth } from './terminal-width.ts';

/** Plain text, without colours. */
const tableStyle = { style: { head: [], border: [] } };
/** Between the columns of a table without a frame. */
const gap = '  ';

/**
 * Prints a table. On a terminal it has a frame, fits the width, and shows ages instead of times. Elsewhere each row is
 * one line, with every column and full values; `--format table` keeps the frame.
 */
export function printTable(context: CliContext, options: OutputOptions, table: SelectedTable): void {
  const isFramed = hasFrame(context, options);
  const style = { isTerminal: context.columns !== undefined, isFramed, now: context.now };
  const width = tableWidth(context, options);
  if (table.title !== undefined) context.out(`${table.title}\n`);
  if (table.isFields) {
    const lines = table.columns.map((column) => [column.title, cell(table.rows[0] ?? {}, column, style, true)]);
    print(context, [['Field', 'Value'], ...lines], [{}, valueNature(table, lines)], width, isFramed);
    return;
  }
  const cells = table.rows.map((row) => table.columns.map((column) => cell(row, column, style)));
  const texts = [table.columns.map(({ title }) => title), ...cells];
  const shown = print(context, texts, table.columns, width, isFramed);
  const hidden = table.columns.filter((_, position) => !shown.includes(position)).map(({ title }) => title);
  if (hidden.length > 0)
    note(context, `+${hidden.length} column${hidden.length > 1 ? 's' : ''} (${hidden.join(', ')}): -c or --wide\n`);
}

/** Whether tables have a frame: on a terminal that can draw it, and where `--format table` requests it. */
export function hasFrame({ columns, env }: CliContext, { format }: OutputOptions): boolean {
  return env.TERM !== 'dumb' && (columns !== undefined || format === 'table');
}

/** States and identifiers among the values stay whole. */
function valueNature({ columns }: SelectedTable, lines: readonly string[][]): ColumnNature {
  const whole = columns.flatMap(({ isWhole }, index) => (isWhole ? (lines[index]?.[1]?.length ?? 0) : []));
  return { isText: true, atLeast: Math.max(minimalValue, ...whole) };
}

/** Minimum width of the values of an object, in characters. */
const minimalValue = 6;

/** Prints the head and rows. Returns the positions of the columns that fit. */
function print(
  context: CliContext,
  texts: string[][],
  natures: readonly ColumnNature[],
  width: number | undefined,
  isFramed: boolean,
): number[] {
  const fitting = width === undefined ? null : fitColumns(texts, width, natures);
  const shown = fitting?.shown ?? natures.map((_, position) => position);
  const rows = texts.map((row) =>
    shown.map((position, index) => wrapText(row[position] ?? '', fitting?.widths[index] ?? Number.POSITIVE_INFINITY)),
  );
  context.out(isFramed ? framed(rows) : aligned(rows));
  return shown;
}

/** The text of a table with a rule below its head only. The library draws one below every row. */
function framed([head = [], ...rows]: string[][]): string {
  const table = new Table({ head, ...tableStyle });
  table.push(...rows);
  const lines = table.toString().split('\n');
  const headRule = lines.findIndex(isRule);
  return `${lines.filter((line, index) => index === headRule || !isRule(line)).join('\n')}\n`;
}

function isRule(line: string): boolean {
  return line.startsWith('├');
}

/** Columns of equal width without a frame. A cell of several lines continues below its first. */
function aligned(rows: readonly string[][]): string {
  const cells = rows.map((row) => row.map((text) => text.split('\n')));
  const widths = (rows[0] ?? []).map((_, position) =>
    Math.max(...cells.flatMap((row) => row[position]?.map(({ length }) => length) ?? 0)),
  );
  const lines = cells.flatMap((row) => {
    const height = Math.max(...row.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      row
        .map((texts, position) => (texts[line] ?? '').padEnd(widths[position] ?? 0))
        .join(gap)
        .trimEnd(),
    );
  });
  return lines.map((line) => `${line}\n`).join('');
}

interface CellStyle {
  isTerminal: boolean;
  isFramed: boolean;
  now(): number;
}

/** @param isFull whether a terminal shows a time in full in addition to its age. */
function cell(row: object, column: Column, { isTerminal, isFramed, now }: CellStyle, isFull = false): string {
  const { field, format, isTime, absent = '' } = column;
  const fields = row as Record<string, unknown>;
  const value = fields[field];
  if (value === null || value === undefined) return absent === '' && !isTerminal && !isFramed ? '-' : absent;
  const text = format ? format(value, fields) : cellText(value);
  const millis = isTime && isTerminal ? millisOf(text) : null;
  if (millis !== null) return isFull ? `${text} (${relativeTime(millis, now())})` : relativeTime(millis, now());
  if (isTerminal || isFramed) return printable(text, '\n');
  const line = format === objectText ? JSON.stringify(value) : text.trim().replaceAll(/\s*\n\s*/g, '; ');
  return line === '' ? '-' : printable(line);
}
