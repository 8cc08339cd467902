import type { ActionPlanPreview, AuditComparison, AuditPreview } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { type Column, column, efficacyText } from './columns.ts';
import { rangeText, sourceText } from './duration.ts';
import { inFallingOrder } from './falling-order.ts';
import type { OutputOptions } from './output-options.ts';
import { printTables } from './print.ts';
import { promiseColumns, promiseTables } from './promises.ts';

const proposalColumns = [
  column('strategy'),
  column('model_taken_at'),
  column('actions'),
  column('empty_because'),
  column('global_efficacy', efficacyText),
  column('indicators', efficacyText),
];
const plannedColumns = [column('action_type'), column('what')];
const durationColumns = [
  column('action_plan_uuid'),
  column('actions'),
  column('expected', { title: 'Expected duration' }),
  column('one_by_one', { title: 'Sequential seconds' }),
  column('rollback'),
  column('model'),
];
const stageColumns = [
  column('stage'),
  column('action_type', { leaveOut: 2 }),
  column('state'),
  column('starts_after', { leaveOut: 4 }),
  column('estimated_seconds', { leaveOut: 3 }),
  column('rollback', { leaveOut: 1 }),
  column('summary'),
];

const effectColumns = [
  column('quantity', { title: 'Side effect' }),
  column('fullest_host'),
  column('before', { title: 'Before %' }),
  column('after', { title: 'After %' }),
  column('deviation', { title: 'Deviation' }),
];

const reserveColumns = [column('domain', { title: 'Failure domain' }), column('reserve')];

/** Tables of the quantities that a plan makes worse, and of the failure reserves that it changes. None where empty. */
function effectTables({
  side_effects: effects,
  reserve_changes: changes,
}: Pick<ActionPlanPreview, 'side_effects' | 'reserve_changes'>): { rows: object[]; columns: Column[] }[] {
  const rows = (effects ?? []).map(({ quantity, deviation, fullest: { hostname, before, after } }) => ({
    quantity,
    fullest_host: hostname,
    before,
    after,
    deviation: `${deviation.before} → ${deviation.after}`,
  }));
  const reserves = (changes ?? []).map(({ domain, change }) => ({ domain, reserve: change }));
  return [
    { rows, columns: effectColumns },
    { rows: reserves, columns: reserveColumns },
  ].filter((table) => table.rows.length > 0);
}

/** Every column of the proposal of an audit, for `-c`. */
export const auditPreviewColumns = [...proposalColumns, ...effectColumns, ...reserveColumns, ...plannedColumns];

/** Prints the proposal of an audit. Migrations are in the order in which their gains were computed. */
export function printAuditPreview(context: CliContext, options: OutputOptions, preview: AuditPreview): void {
  const { actions, report } = preview;
  const proposal = { ...preview, actions: actions.length, empty_because: report.empty_because };
  printTables(context, options, preview, [
    { row: proposal, columns: proposalColumns },
    ...effectTables(preview),
    { rows: inFallingOrder(actions).map(describe), columns: plannedColumns },
  ]);
}

/** Columns of a comparison, for `-c`. */
export const comparisonColumns = [
  column('strategy'),
  column('actions'),
  column('indicators', efficacyText),
  column('problem'),
];

/** Prints a line for each strategy: its number of actions and its gain. */
export function printComparison(context: CliContext, options: OutputOptions, { results }: AuditComparison): void {
  const rows = results.map(({ strategy, error, preview }) => ({
    strategy,
    actions: preview?.actions.length,
    indicators: preview?.indicators,
    problem: error?.message ?? preview?.report.empty_because,
  }));
  printTables(context, options, results, [{ rows, columns: comparisonColumns }]);
}

/** Every column of the preview of a plan, for `-c`. */
export const planPreviewColumns = [
  ...durationColumns,
  ...effectColumns,
  ...reserveColumns,
  ...promiseColumns,
  ...stageColumns,
];

/** Prints the order, duration and reversibility of a plan. */
export function printPlanPreview(context: CliContext, options: OutputOptions, preview: ActionPlanPreview): void {
  const { duration, estimated_seconds: estimate } = preview;
  const expected = `${rangeText(duration.seconds)} (${sourceText(duration)})`;
  printTables(context, options, preview, [
    { row: { ...preview, ...estimate, expected, actions: preview.actions.length }, columns: durationColumns },
    ...effectTables(preview),
    ...promiseTables(preview.promises, promiseColumns),
    { rows: preview.actions, columns: stageColumns },
  ]);
}

/** Type and reason of an action that is not stored. Its parameters when there is no reason. */
function describe({ action_type, reason, input_parameters }: AuditPreview['actions'][number]): object {
  return { action_type, what: reason.summary || JSON.stringify(input_parameters) };
}
