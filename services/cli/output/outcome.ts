import {
  type ActionPlan,
  type ActionPlanOutcome,
  effectText,
  type Indicator,
  type Measured,
  outcomeRows,
  withUnits,
} from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from './columns.ts';
import { printRow, printRows } from './print.ts';

type Measurement = { measured_at?: string } | null | undefined;

/** State of evacuated instances, by uuid. */
type Evacuations = Record<string, object>;

const measureColumns = [column('title'), column('planned'), column('predicted'), column('before'), column('achieved')];
const cutColumns = [column('actions_left_out'), column('migrations_left_out'), column('hosts_left_out')];
const evacuationColumns = [column('instance'), column('source'), column('state'), column('detail')];

/** Prints tables of the plan's execution options, predicted and measured efficacy, and evacuated instances. */
export function printOutcome(context: CliContext, plan: ActionPlan, outcome: ActionPlanOutcome): void {
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
  const isSaid = (value: unknown) => value !== null && value !== undefined && value !== false;
  const columns = Object.entries(settings).flatMap(([name, value]) => (isSaid(value) ? [column(name)] : []));
  printRow(context, false, settings, columns);
  const rows = outcomeRows(withUnits(plan.efficacy_indicators as Indicator[], plan.strategy_name), measured);
  if (rows.length > 0) printRows(context, false, rows, measureColumns);
  if (cut) printRow(context, false, cut, cutColumns);
  const evacuations = Object.entries(measured.evacuations ?? {}).map(([instance, verdict]) => ({
    ...verdict,
    instance,
  }));
  if (evacuations.length > 0) printRows(context, false, evacuations, evacuationColumns);
}

function timeOf(measurement: Measurement): string | undefined {
  return measurement?.measured_at;
}
