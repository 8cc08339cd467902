import { type AuditReport, constraintReason } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, linesText, objectText } from './columns.ts';
import type { OutputOptions } from './output-options.ts';
import { isTable, printTables } from './print.ts';

const runColumns = [
  column('strategy'),
  column('hosts', eligibleText),
  column('instances', eligibleText),
  column('model_age_seconds'),
  column('model_complete'),
  column('empty_because'),
  column('notes', linesText),
  column('timings_ms', objectText),
];
const searchColumns = [column('gap'), column('search', objectText)];
const objectiveColumns = [
  column('level'),
  column('term'),
  column('unit'),
  column('before'),
  column('after'),
  column('bound'),
];
const blockedColumns = [column('constraint'), column('count'), column('reason'), column('examples', linesText)];
const metricColumns = [
  column('metric'),
  column('source', { absent: 'none' }),
  column('resource_type', { leaveOut: 2 }),
  column('aggregate', { leaveOut: 1 }),
  column('period_seconds', { leaveOut: 3 }),
  column('asked', { title: 'Resources' }),
  column('missing'),
];
const passedOverColumns = [column('metric'), column('passed_over', { isText: true })];

/** Every column of a report, for `-c`. */
export const reportColumns = [
  ...runColumns,
  ...searchColumns,
  ...objectiveColumns,
  ...blockedColumns,
  ...metricColumns,
  ...passedOverColumns,
];

/** Prints the report of an audit run: considered, blocked and measured, with the data sources. */
export function printReport(context: CliContext, options: OutputOptions, { audit_uuid, report }: AuditReport): void {
  if (report === null && isTable(options)) {
    context.out(`audit ${audit_uuid} has not run yet\n`);
    return;
  }
  const { objective = [], blocked = [], metrics = [], search } = report ?? {};
  printTables(context, options, report, [
    { row: { ...report }, columns: search === undefined ? runColumns : [...runColumns, ...searchColumns] },
    { rows: objective, columns: objectiveColumns },
    { rows: blocked.map(withReason), columns: blockedColumns },
    { rows: metrics, columns: metricColumns },
    { title: 'Skipped data sources:', rows: metrics.flatMap(passedOver), columns: passedOverColumns },
  ]);
}

function withReason<Blocked extends { constraint: string }>(blocked: Blocked): Blocked & { reason: string } {
  return { ...blocked, reason: constraintReason(blocked.constraint) };
}

/** A line for each data source that was queried before the one that served. */
function passedOver({ metric, passed_over: reasons = [] }: { metric: string; passed_over?: string[] }): object[] {
  return reasons.map((reason) => ({ metric, passed_over: reason }));
}

function eligibleText(value: unknown): string {
  const { eligible, considered } = value as { eligible: number; considered: number };
  return `${eligible} of ${considered} eligible`;
}
