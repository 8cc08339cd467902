import type { Command } from 'commander';
import { type ActionPlanRollback, dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { printRow, printTables } from '../output/print.ts';
import { clientOf, positive } from './shared-options.ts';
import { requirePlanState, waitForPlan } from './wait-for-plan.ts';
import { createWaiter, type WaitCommandOptions, withWait } from './waiter.ts';

const path = '/v1/action_plans/{ident}/rollback';
const planColumns = [column('uuid'), column('state'), column('status_message')];
const rollbackColumns = [
  column('action_plan_uuid'),
  column('possible'),
  column('reason'),
  column('verdict'),
  column('rolls_back'),
  column('rollback_plan_uuid'),
  column('rollback_plan_state'),
];
const stepColumns = [
  column('stage'),
  column('verdict'),
  column('summary'),
  column('state'),
  column('rollback_state'),
  column('rollback_message'),
];

interface RollbackOptions extends WaitCommandOptions {
  preview?: boolean;
  maxWorkers?: number;
}

/** `actionplan rollback`: undoes an ended plan. */
export function registerRollbackCommand(parent: Command, context: CliContext): void {
  withWait(
    withRows(
      parent.command('rollback').description('Undo an ended action plan with a new plan'),
      planColumns,
      rollbackColumns,
      stepColumns,
    ),
    'show progress until the rollback ends',
  )
    .argument('<uuid>')
    .option('--preview', 'only show the rollback plan and its progress')
    .option('--max-workers <number>', 'maximum number of parallel actions', positive)
    .action(async (ident: string, options: RollbackOptions, command: Command) => {
      const client = clientOf(context, command);
      const params = { path: { ident } };
      if (options.preview) {
        printRollback(context, options, await dataOf(client.api.GET(path, { params })));
        return;
      }
      const body = { max_workers: options.maxWorkers };
      const waiter = createWaiter(context, options);
      const started = await waiter.once((headers) => dataOf(client.api.POST(path, { params, body, headers })));
      const plan = options.wait ? await waitForPlan(waiter, client, started.uuid) : started;
      printRow(context, options, plan, planColumns);
      if (options.wait) requirePlanState(plan, 'SUCCEEDED');
    });
}

function printRollback(context: CliContext, options: OutputOptions, rollback: ActionPlanRollback): void {
  printTables(context, options, rollback, [
    { row: rollback, columns: rollbackColumns },
    { rows: rollback.actions, columns: stepColumns },
  ]);
}
