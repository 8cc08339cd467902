import type { FluxResult, FluxTable, FluxValue } from './flux-tables.ts';

/** Results as annotated CSV: a header for each run of tables with the same columns, followed by a blank line. */
export function toAnnotatedCsv(results: readonly FluxResult[]): string {
  const blocks = results.flatMap((result) => result.tables.map((table, index) => tableText(result.name, index, table)));
  return blocks.join('\r\n');
}

function tableText(resultName: string, index: number, table: FluxTable): string {
  const columns = [...new Set(table.rows.flatMap((row) => Object.keys(row)))];
  const typeOf = (column: string) => table.rows.find((row) => row[column] !== undefined)?.[column]?.type ?? 'string';
  const lines = [
    ['#datatype', 'string', 'long', ...columns.map(typeOf)],
    ['#group', 'false', 'false', ...columns.map((column) => String(table.key.includes(column)))],
    ['#default', resultName, '', ...columns.map(() => '')],
    ['', 'result', 'table', ...columns],
    ...table.rows.map((row) => ['', '', String(index), ...columns.map((column) => cellText(row[column]))]),
  ];
  return `${lines.map((line) => line.map(quote).join(',')).join('\r\n')}\r\n`;
}

function cellText(value: FluxValue | undefined): string {
  if (value === undefined) return '';
  return value.type === 'dateTime:RFC3339' ? new Date(value.value).toISOString() : String(value.value);
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
