import type { AuditReport } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, linesText, objectText } from './columns.ts';
import { printJson, printRow, printRows } from './print.ts';

/** Prints the report of an audit run: considered, blocked and measured. */
export function printReport(context: CliContext, json: boolean | undefined, { audit_uuid, report }: AuditReport): void {
  if (json) {
    printJson(context, report);
    return;
  }
  if (report === null) {
    context.out(`audit ${audit_uuid} has not run yet\n`);
    return;
  }
  printRow(context, false, report, [
    column('strategy'),
    column('hosts', eligibleText),
    column('instances', eligibleText),
    column('model_age_seconds'),
    column('model_complete'),
    column('empty_because'),
    column('notes', linesText),
    column('timings_ms', objectText),
    ...(report.search === undefined ? [] : [column('gap'), column('search', objectText)]),
  ]);
  printPart(context, report.objective, [
    column('level'),
    column('term'),
    column('unit'),
    column('before'),
    column('after'),
    column('bound'),
  ]);
  printPart(context, report.blocked, [column('constraint'), column('count'), column('examples', linesText)]);
  printPart(context, report.metrics, [
    column('metric'),
    column('resource_type'),
    column('aggregate'),
    column('period_seconds'),
    column('asked'),
    column('missing'),
  ]);
}

function printPart(context: CliContext, rows: unknown, columns: Parameters<typeof printRows>[3]): void {
  if (Array.isArray(rows) && rows.length > 0) printRows(context, false, rows as object[], columns);
}

function eligibleText(value: unknown): string {
  const { eligible, considered } = value as { eligible: number; considered: number };
  return `${eligible} of ${considered} eligible`;
}
