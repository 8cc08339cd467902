import { Document, visit } from 'yaml';
import { printable } from '#libs/domain';
import { type Column, efficacyText, linesText, objectText, requirementText, specificationText } from './columns.ts';
import type { OutputOptions, QuoteMode } from './output-options.ts';
import type { SelectedTable } from './select-tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** Human-readable formats of values that programs receive unchanged. */
const structured = new Set<unknown>([objectText, linesText, efficacyText, requirementText, specificationText]);

/** The values of a table for JSON and YAML, by column title. `isByField`: by field, as the API names them. */
export function machineValue({ isFields, rows, columns }: SelectedTable, isByField = false): unknown {
  const objects = rows.map((row) =>
    Object.fromEntries(
      columns.map((column) => [isByField ? column.field : column.title, machineCell(row as Row, column)]),
    ),
  );
  return isFields ? objects[0] : objects;
}

function machineCell(row: Row, { field, format }: Column): unknown {
  const value = row[field];
  if (value === undefined || value === null) return null;
  if (format === undefined || structured.has(format) || typeof value === 'boolean') return value;
  const text = format(value, row);
  return typeof value === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A value as JSON, indented unless `noindent` is set. */
export function jsonText(value: unknown, { noindent }: OutputOptions): string {
  return `${JSON.stringify(value ?? null, null, noindent ? undefined : 2)}\n`;
}

/** A value as YAML. Texts with control characters are quoted, so that their escapes are read as the same text. */
export function yamlText(value: unknown): string {
  const document = new Document(value ?? null);
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && printable(node.value, '\n\t') !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** CSV with the titles first, as Python's client prints it: `True` and `False`, an absent value is empty. */
export function csvText(table: SelectedTable, mode: QuoteMode = 'nonnumeric'): string {
  const titles = table.columns.map(({ title }) => quoted(title, mode));
  const lines = table.rows.map((row) =>
    table.columns.map((column) => quoted(machineCell(row as Row, column), mode)).join(','),
  );
  return `${[titles.join(','), ...lines].join('\n')}\n`;
}

function quoted(value: unknown, mode: QuoteMode): string {
  const text = value === null ? '' : plainText(value);
  const isSpecial = /[",\n\r]/.test(text);
  if (mode === 'none') return text.replaceAll(/[\\",\n\r]/g, '\\$&');
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  const isQuoted = mode === 'all' || isSpecial || (mode === 'nonnumeric' && !isPlain);
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Values only: one row a line, and one field a line of a single object. Absent values are `None`. */
export function valueText({ isFields, rows, columns }: SelectedTable): string {
  const lines = rows.map((row) =>
    columns.map((column) => plainText(machineCell(row as Row, column))).join(isFields ? '\n' : ' '),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * One assignment a field, for `eval`: the title in lower case, with _ for other characters. Values are in double
 * quotes, with backslashes before all that a shell would expand.
 */
export function shellText({ rows, columns }: SelectedTable, prefix = ''): string {
  const lines = rows.flatMap((row) =>
    columns.map((column) => {
      const name = `${prefix}${column.title}`.toLowerCase().replaceAll(/\W/g, '_');
      return `${name}="${plainText(machineCell(row as Row, column)).replaceAll(/[\\"$`]/g, '\\$&')}"\n`;
    }),
  );
  return lines.join('');
}

/** Python's word for a value, which scripts compare. Objects are JSON. */
function plainText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
