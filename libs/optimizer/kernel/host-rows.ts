import type { Problem } from '../problem/problem.ts';

/** Rows of hosts in a placement: sums, then limits of the first columns, then the cost. */
interface Rows {
  readonly problem: Problem;
  readonly rows: Float64Array;
  readonly stride: number;
  readonly limitedColumns: number;
}

/** Rows with the values computed from their sums. */
interface PricedRows extends Rows {
  readonly costAt: number;
  readonly excess: Float64Array;
  readonly duePrices: Float64Array;
}

/** Sets all rows to the contents of the hosts when each item is on its host of `placed`. */
export function fillRows(all: Rows, placed: Int32Array): void {
  const { problem, rows, stride, limitedColumns } = all;
  const { hosts, items, columns, base, limit, use, home } = problem;
  for (let host = 0; host < hosts; host += 1) {
    const from = host * columns;
    rows.set(base.subarray(from, from + columns), host * stride);
    rows.set(limit.subarray(from, from + limitedColumns), host * stride + columns);
  }
  for (let item = 0; item < items; item += 1) {
    const host = placed[item]!;
    for (let k = 0; k < columns; k += 1) rows[host * stride + k]! += use[item * columns + k]!;
    if (host !== home[item]) holdRoom(all, item, home[item]!, 1);
  }
}

/** Whether no host is above a limit. */
export function areWithinLimits({ problem, rows, stride, limitedColumns }: Rows): boolean {
  const { hosts, columns } = problem;
  for (let host = 0; host < hosts; host += 1)
    for (let at = host * stride; at < host * stride + limitedColumns; at += 1)
      if (rows[at]! > rows[at + columns]!) return false;
  return true;
}

/** Sets the prices of columns with a sum above 0 over all hosts, and 0 for other columns. */
export function setDuePrices({ problem, rows, stride, duePrices }: PricedRows): void {
  const { hosts, columns, prices } = problem;
  for (let k = 0; k < columns; k += 1) {
    let sum = 0;
    for (let host = 0; host < hosts; host += 1) sum += rows[host * stride + k]!;
    duePrices[k] = sum > 0 ? prices[k]! : 0;
  }
}

/** Computes the cost of a host's sums, and its excess. */
export function priceHost({ problem, rows, stride, costAt, excess, duePrices }: PricedRows, host: number): void {
  const { columns, prices } = problem;
  const row = host * stride;
  let cost = 0;
  let due = 0;
  for (let k = 0; k < columns; k += 1) {
    const x = rows[row + k]!;
    cost += prices[k]! * (x + Math.abs(x));
    due += duePrices[k]! * x;
  }
  rows[row + costAt] = cost / 2;
  excess[host] = cost / 2 - due;
}

/**
 * Moves the use of `item` from one host to another and the use of `other` (-1: none) back, and computes `priceHost`
 * for both. It makes one pass over both rows, because separate passes would need eight for a swap.
 */
export function exchangeUse(placed: PricedRows, item: number, other: number, from: number, to: number): void {
  const { problem, rows, stride, costAt, excess, duePrices } = placed;
  const { columns, prices, use } = problem;
  const rowFrom = from * stride;
  const rowTo = to * stride;
  const back = other < 0 ? 0 : 1;
  const backAt = back * other * columns;
  let costFrom = 0;
  let costTo = 0;
  let dueFrom = 0;
  let dueTo = 0;
  for (let k = 0; k < columns; k += 1) {
    const amount = use[item * columns + k]! - back * use[backAt + k]!;
    const x = rows[rowFrom + k]! - amount;
    const y = rows[rowTo + k]! + amount;
    rows[rowFrom + k] = x;
    rows[rowTo + k] = y;
    const price = prices[k]!;
    const due = duePrices[k]!;
    costFrom += price * (x + Math.abs(x));
    costTo += price * (y + Math.abs(y));
    dueFrom += due * x;
    dueTo += due * y;
  }
  rows[rowFrom + costAt] = costFrom / 2;
  rows[rowTo + costAt] = costTo / 2;
  excess[from] = costFrom / 2 - dueFrom;
  excess[to] = costTo / 2 - dueTo;
}

/** In transient columns a home keeps the room of an item that leaves it (1) until the item returns (-1). */
export function holdRoom({ problem, rows, stride }: Rows, item: number, home: number, held: 1 | -1): void {
  const { columns, transientColumns, use } = problem;
  const limits = home * stride + columns;
  for (let k = 0; k < transientColumns; k += 1) rows[limits + k]! -= held * use[item * columns + k]!;
}

/**
 * Whether transient columns of `host` have room for an exchange: an item that returns home needs none, an item that
 * leaves home frees none.
 */
export function fitsTransient(
  { problem, rows, stride }: Rows,
  host: number,
  leaving: number,
  arriving: number,
): boolean {
  const { columns, transientColumns, use, home } = problem;
  if (home[arriving] === host) return true;
  const row = host * stride;
  const freed = home[leaving] === host ? 0 : 1;
  for (let k = 0; k < transientColumns; k += 1) {
    const added = use[arriving * columns + k]! - freed * use[leaving * columns + k]!;
    if (added > 0 && rows[row + k]! + added > rows[row + columns + k]!) return false;
  }
  return true;
}
