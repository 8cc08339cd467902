import type { ActionPlanPreview, AuditComparison, AuditPreview } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, efficacyText } from './columns.ts';
import { rangeText, sourceText } from './duration.ts';
import { printJson, printRow, printRows } from './print.ts';

const plannedColumns = [column('action_type'), column('what')];
const stageColumns = [
  column('stage'),
  column('action_type', { leaveOut: 2 }),
  column('state'),
  column('starts_after', { leaveOut: 4 }),
  column('estimated_seconds', { leaveOut: 3 }),
  column('rollback', { leaveOut: 1 }),
  column('summary'),
];

/** Prints the proposal of an audit. */
export function printAuditPreview(context: CliContext, json: boolean | undefined, preview: AuditPreview): void {
  if (json) {
    printJson(context, preview);
    return;
  }
  const { actions, report } = preview;
  printRow(context, false, { ...preview, actions: actions.length, empty_because: report.empty_because }, [
    column('strategy'),
    column('model_taken_at'),
    column('actions'),
    column('empty_because'),
    column('global_efficacy', efficacyText),
    column('indicators', efficacyText),
  ]);
  if (actions.length > 0) printRows(context, false, actions.map(describe), plannedColumns);
}

/** Prints a line for each strategy: its number of actions and its gain. */
export function printComparison(context: CliContext, json: boolean | undefined, { results }: AuditComparison): void {
  if (json) {
    printJson(context, results);
    return;
  }
  const rows = results.map(({ strategy, error, preview }) => ({
    strategy,
    actions: preview?.actions.length,
    indicators: preview?.indicators,
    problem: error?.message ?? preview?.report.empty_because,
  }));
  printRows(context, false, rows, [
    column('strategy'),
    column('actions'),
    column('indicators', efficacyText),
    column('problem'),
  ]);
}

/** Prints the order, duration and reversibility of a plan. */
export function printPlanPreview(context: CliContext, json: boolean | undefined, preview: ActionPlanPreview): void {
  if (json) {
    printJson(context, preview);
    return;
  }
  const { duration, estimated_seconds: estimate } = preview;
  const expected = `${rangeText(duration.seconds)} (${sourceText(duration)})`;
  printRow(context, false, { ...preview, ...estimate, expected, actions: preview.actions.length }, [
    column('action_plan_uuid'),
    column('actions'),
    { ...column('expected'), title: 'Expected duration' },
    { ...column('one_by_one'), title: 'Seconds one by one' },
    column('rollback'),
    column('model'),
  ]);
  if (preview.actions.length > 0) printRows(context, false, preview.actions, stageColumns);
}

/** Type and reason of an action that is not stored. Its parameters when there is no reason. */
function describe({ action_type, reason, input_parameters }: AuditPreview['actions'][number]): object {
  return { action_type, what: reason.summary || JSON.stringify(input_parameters) };
}
