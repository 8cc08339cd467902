import type { Problem } from '../problem/problem.ts';

/** Rows of hosts as a placement holds them: sums, then limits of the first columns. */
interface Rows {
  readonly problem: Problem;
  readonly rows: Float64Array;
  readonly stride: number;
  readonly limitedColumns: number;
}

/** Sets all rows to those of empty hosts. */
export function fillEmptyRows({ problem, rows, stride, limitedColumns }: Rows): void {
  const { hosts, columns, base, limit } = problem;
  for (let host = 0; host < hosts; host += 1) {
    const from = host * columns;
    rows.set(base.subarray(from, from + columns), host * stride);
    rows.set(limit.subarray(from, from + limitedColumns), host * stride + columns);
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

/** Takes the use of an item from one host to another; in transient columns home keeps its room. */
export function shiftUse({ problem, rows, stride }: Rows, item: number, from: number, to: number): void {
  const { columns, transientColumns, use, home } = problem;
  for (let k = 0; k < columns; k += 1) {
    const amount = use[item * columns + k]!;
    rows[from * stride + k]! -= amount;
    rows[to * stride + k]! += amount;
  }
  if (from === home[item]) {
    const limits = from * stride + columns;
    for (let k = 0; k < transientColumns; k += 1) rows[limits + k]! -= use[item * columns + k]!;
  } else if (to === home[item]) {
    const limits = to * stride + columns;
    for (let k = 0; k < transientColumns; k += 1) rows[limits + k]! += use[item * columns + k]!;
  }
}
