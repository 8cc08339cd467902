import Table from 'cli-table3';

/** One line of a bench: its name and numbers, units in the names (`_ms`, `_bytes`, `_ratio`). */
export interface BenchResult {
  name: string;
  [measure: string]: string | number;
}

/** A promise of a bench: `value` must not exceed `limit`, or with `atLeast` must reach it. */
export interface BenchGoal {
  name: string;
  value: number;
  limit: number;
  unit: string;
  /** Default false: smaller is better. */
  atLeast?: boolean;
}

export interface BenchReport {
  bench: string;
  results: BenchResult[];
  goals: BenchGoal[];
}

function isMet({ value, limit, atLeast }: BenchGoal): boolean {
  return atLeast ? value >= limit : value <= limit;
}

/** Human-readable lines with the same columns. */
export function table(rows: Record<string, string | number>[]): string {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const view = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) view.push(head.map((name) => String(row[name] ?? '')));
  return view.toString();
}

/**
 * Prints readable tables (unless `json`) and, as the last line, one JSON object with results and goals. Sets the exit
 * code to 1 when a goal is not met.
 */
export function finishBench(report: BenchReport, options: { json: boolean }): void {
  const goals = report.goals.map(({ name, value, limit, unit, ...goal }) => ({
    name,
    value,
    limit,
    unit,
    met: isMet({ name, value, limit, unit, ...goal }),
  }));
  if (!options.json) {
    process.stdout.write(`${table(report.results)}\n`);
    if (goals.length > 0)
      process.stdout.write(`${table(goals.map((goal) => ({ ...goal, met: goal.met ? 'yes' : 'NO' })))}\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench: report.bench, results: report.results, goals })}\n`);
  if (goals.some(({ met }) => !met)) process.exitCode = 1;
}

/** Rounds a measure to `digits` decimals. */
export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** Returns the middle value, or the upper one of two. NaN for no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
