import { type Column, column } from './columns.ts';

interface Promised {
  quantity: string;
  low: number;
  high: number;
  achieved?: number | null;
  verdict?: string;
  reason?: string | null;
}

const rangeColumns = [column('quantity', { title: 'Promise' }), column('range')];

/** Columns of the promises of a plan before its start, for `-c`. */
export const promiseColumns = rangeColumns;

/** Columns of promises with their verdicts, for `-c`. */
export const judgedColumns = [...rangeColumns, column('achieved'), column('verdict'), column('reason')];

/** A table of promises, each with its range in the unit of the quantity. None where there are none. */
export function promiseTables(
  promises: readonly Promised[] | null | undefined,
  columns: Column[],
): { rows: object[]; columns: Column[] }[] {
  const rows = (promises ?? []).map((promise) => ({
    ...promise,
    range: `${promise.low} to ${promise.high} ${unitOf(promise.quantity)}`,
  }));
  return rows.length > 0 ? [{ rows, columns }] : [];
}

function unitOf(quantity: string): string {
  if (quantity === 'duration') return 's';
  return quantity.endsWith('_deviation') ? 'points' : '%';
}
