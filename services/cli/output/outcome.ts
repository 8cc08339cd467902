import {
  type ActionPlan,
  type ActionPlanOutcome,
  effectText,
  type Indicator,
  type Measured,
  outcomeRows,
} from '#libs/client';
import { planControls } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { column } from './columns.ts';
import type { OutputOptions } from './output-options.ts';
import { printTables } from './print.ts';
import { judgedColumns, promiseTables } from './promises.ts';

type Measurement = { measured_at?: string } | null | undefined;

/** State of evacuated instances, by uuid. */
type Evacuations = Record<string, object>;

const settingColumns = [
  column('action_plan_uuid'),
  column('state'),
  ...Object.values(planControls).flatMap((control) => ('shown' in control ? [column(control.name)] : [])),
  column('rollback_state'),
  column('rollback_message'),
  column('rolls_back'),
  column('measured_before'),
  column('measured_after'),
  column('effect'),
];
const measureColumns = [column('title'), column('planned'), column('predicted'), column('before'), column('achieved')];
const cutColumns = [column('actions_left_out'), column('migrations_left_out'), column('hosts_left_out')];
const evacuationColumns = [column('instance'), column('source'), column('state'), column('detail')];

/** Every column of an outcome, for `-c`. */
export const outcomeColumns = [
  ...settingColumns,
  ...measureColumns,
  ...judgedColumns,
  ...cutColumns,
  ...evacuationColumns,
];

/** Prints tables of the plan's execution options, predicted and measured efficacy, and evacuated instances. */
export function printOutcome(
  context: CliContext,
  options: OutputOptions,
  plan: ActionPlan,
  outcome: ActionPlanOutcome,
): void {
  const measured = (outcome.outcome ?? {}) as Measured & { evacuations?: Evacuations };
  const [before, after] = [measured.before, measured.after] as Measurement[];
  const { action_plan_uuid, outcome: _numbers, cut, ...controls } = outcome;
  const settings = {
    action_plan_uuid,
    state: plan.state,
    ...controls,
    measured_before: timeOf(before),
    measured_after: timeOf(after),
    effect: effectText(measured.measurement),
  };
  const isSaid = ({ field }: { field: string }) => {
    const value = settings[field as keyof typeof settings];
    return value !== null && value !== undefined && value !== false;
  };
  const rows = outcomeRows(
    { indicators: plan.efficacy_indicators as Indicator[], strategy: plan.strategy_name },
    measured,
  );
  const evacuations = Object.entries(measured.evacuations ?? {}).map(([instance, verdict]) => ({
    ...verdict,
    instance,
  }));
  printTables(context, options, outcome, [
    { row: settings, columns: options.column ? settingColumns : settingColumns.filter(isSaid) },
    { rows, columns: measureColumns },
    ...promiseTables(outcome.outcome?.promises, judgedColumns),
    ...(cut ? [{ row: cut, columns: cutColumns }] : []),
    { rows: evacuations, columns: evacuationColumns },
  ]);
}

function timeOf(measurement: Measurement): string | undefined {
  return measurement?.measured_at;
}
