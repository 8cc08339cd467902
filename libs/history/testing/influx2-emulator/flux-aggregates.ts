import { FluxEvaluationError, type FluxRow, type FluxTable, keyRow } from './flux-tables.ts';

type Numeric = { row: FluxRow; at: number; value: number };

function numericRows(table: FluxTable): Numeric[] {
  return table.rows.map((row) => {
    const value = row._value;
    if (value === undefined || (value.type !== 'double' && value.type !== 'long')) {
      throw new FluxEvaluationError(`unsupported input type ${value?.type ?? 'null'} of column _value`);
    }
    return { row, at: Number(row._time?.value ?? 0), value: value.value };
  });
}

/** Aggregates return the group key and `_value`, selectors the whole selected row. */
const functions: Record<string, (table: FluxTable) => FluxRow> = {
  mean: (table) => aggregated(table, 'double', (values) => sum(values) / values.length),
  sum: (table) => aggregated(table, 'double', sum),
  count: (table) => ({ ...keyRow(table), _value: { type: 'long', value: table.rows.length } }),
  min: (table) => selected(table, (best, other) => other.value < best.value),
  max: (table) => selected(table, (best, other) => other.value > best.value),
  first: (table) => selected(table, (best, other) => other.at < best.at),
  last: (table) => selected(table, (best, other) => other.at >= best.at),
};

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function aggregated(table: FluxTable, type: 'double', work: (values: number[]) => number): FluxRow {
  const value = work(numericRows(table).map((row) => row.value));
  return { ...keyRow(table), _value: { type, value } };
}

function selected(table: FluxTable, better: (best: Numeric, other: Numeric) => boolean): FluxRow {
  const rows = numericRows(table);
  return rows.reduce((best, other) => (better(best, other) ? other : best)).row;
}

/** Names of the supported aggregates and selectors. */
export const aggregateNames = Object.keys(functions);

/** Applies an aggregate to every table. Each table becomes one row. */
export function aggregateTables(name: string, tables: FluxTable[]): FluxTable[] {
  const work = functions[name];
  if (work === undefined) throw new FluxEvaluationError(`the emulator has no aggregate ${name}`);
  return tables.filter((table) => table.rows.length > 0).map((table) => ({ key: table.key, rows: [work(table)] }));
}

/** `quantile` with the method `exact_mean`: linear interpolation between the two nearest values. */
export function quantileTables(tables: FluxTable[], share: number): FluxTable[] {
  return tables
    .filter((table) => table.rows.length > 0)
    .map((table) => {
      const row = aggregated(table, 'double', (values) => {
        const ordered = [...values].sort((a, b) => a - b);
        const place = share * (ordered.length - 1);
        const [low = 0, high = 0] = [ordered[Math.floor(place)], ordered[Math.ceil(place)]];
        return low * (1 - (place % 1)) + high * (place % 1);
      });
      return { key: table.key, rows: [row] };
    });
}

/**
 * `aggregateWindow` with windows at multiples of `everyMs`, without empty ones. `_time` is the window's start or stop.
 */
export function aggregateWindows(
  name: string,
  tables: FluxTable[],
  everyMs: number,
  timeSource: '_start' | '_stop',
): FluxTable[] {
  return tables.flatMap((table) => {
    const windows = new Map<number, FluxRow[]>();
    for (const row of table.rows) {
      const start = Math.floor(Number(row._time?.value) / everyMs) * everyMs;
      windows.set(start, [...(windows.get(start) ?? []), row]);
    }
    const rows = [...windows]
      .sort(([a], [b]) => a - b)
      .map(([start, inside]): FluxRow => {
        const [one] = aggregateTables(name, [{ key: table.key, rows: inside }]);
        const at = clip(timeSource === '_start' ? start : start + everyMs, inside[0], timeSource);
        return { ...one?.rows[0], _time: { type: 'dateTime:RFC3339', value: at } };
      });
    return rows.length === 0 ? [] : [{ key: table.key, rows }];
  });
}

/** Flux truncates the first and the last window at the bounds of the range. */
function clip(at: number, row: FluxRow | undefined, timeSource: '_start' | '_stop'): number {
  const bound = row?.[timeSource];
  if (bound?.type !== 'dateTime:RFC3339') return at;
  return timeSource === '_start' ? Math.max(at, bound.value) : Math.min(at, bound.value);
}

/** `derivative` with `nonNegative`: growth per unit of time between rows. Shrinking rows are omitted. */
export function growths(tables: FluxTable[], unitMs: number): FluxTable[] {
  return tables.flatMap((table) => {
    const numbers = numericRows(table);
    const rows = numbers.flatMap(({ row, at, value }, index): FluxRow[] => {
      const before = numbers[index - 1];
      if (before === undefined || value < before.value || at === before.at) return [];
      const growth = ((value - before.value) * unitMs) / (at - before.at);
      return [{ ...row, _value: { type: 'double', value: growth } }];
    });
    return rows.length === 0 ? [] : [{ key: table.key, rows }];
  });
}
