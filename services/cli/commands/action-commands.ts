import type { Command } from 'commander';
import { type ActionReason, dataOf, type PatchOperations } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { actionText, column, linesText, objectText, recordTimes } from '../output/columns.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { isTable, printRow, printTables } from '../output/print.ts';
import { registerReads } from './register-reads.ts';
import { clientOf } from './shared-options.ts';

const listColumns = [
  column('uuid'),
  column('state'),
  column('input_parameters', { title: 'What', format: actionText, isText: true }),
  column('action_type', { leaveOut: 3 }),
  column('action_plan_uuid', { leaveOut: 1 }),
  column('parents', { format: linesText, leaveOut: 2 }),
];
const detailColumns = [
  column('uuid'),
  ...recordTimes,
  column('parents', linesText),
  column('state'),
  column('action_plan_uuid'),
  column('action_type'),
  column('input_parameters', objectText),
  column('description'),
  column('status_message'),
];
const reasonColumns = [column('summary'), column('rule'), column('cloud_request_ids', linesText)];
const changeColumns = [column('quantity'), column('subject'), column('unit'), column('before'), column('after')];
const rejectedColumns = [column('alternative'), column('because'), column('others')];

/** `action`: the steps of plans. */
export function registerActionCommands(program: Command, context: CliContext): void {
  const parent = program.command('action').description('Actions, the steps of action plans');
  registerReads(parent, context, {
    collection: 'actions',
    noun: 'action',
    list: listColumns,
    detail: detailColumns,
    filters: [
      {
        flags: '--action-plan <plan>',
        option: 'actionPlan',
        argument: 'action_plan_uuid',
        description: 'filter by plan (uuid)',
      },
      {
        flags: '--audit <audit>',
        option: 'audit',
        argument: 'audit_uuid',
        description: 'filter by audit (uuid or name)',
        names: 'audits',
      },
    ],
  });
  withRows(
    parent.command('reason').description('Show the reason for an action'),
    reasonColumns,
    changeColumns,
    rejectedColumns,
  )
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/actions/{ident}/reason', { params: { path: { ident } } });
      printReason(context, options, await dataOf(call));
    });
  withFields(parent.command('skip').description('Skip a pending action, even while its plan runs'), detailColumns)
    .argument('<uuid>')
    .option('--reason <text>', 'reason for skipping it')
    .action(async (ident: string, options: OutputOptions & { reason?: string }, command: Command) => {
      const { api } = clientOf(context, command);
      const call = api.POST('/v1/actions/{ident}/skip', {
        params: { path: { ident } },
        body: { reason: options.reason },
      });
      printRow(context, options, await dataOf(call), detailColumns);
    });
  withFields(parent.command('update').description('Skip an action, or change the reason'), detailColumns)
    .argument('<uuid>')
    .option('--state <state>', 'SKIPPED')
    .option('--reason <text>', 'reason for skipping it')
    .action(async (ident: string, options: OutputOptions & { state?: string; reason?: string }, command: Command) => {
      const body: PatchOperations = [];
      if (options.state) body.push({ op: 'replace', path: '/state', value: options.state });
      if (options.reason) body.push({ op: 'replace', path: '/status_message', value: options.reason });
      if (body.length === 0) throw new UsageError('specify --state or --reason');
      const call = clientOf(context, command).api.PATCH('/v1/actions/{ident}', { params: { path: { ident } }, body });
      printRow(context, options, await dataOf(call), detailColumns);
    });
}

function printReason(context: CliContext, options: OutputOptions, action: ActionReason): void {
  const { action_uuid, reason, cloud_request_ids } = action;
  if (reason === null && isTable(options)) {
    if (cloud_request_ids.length > 0) context.out(`cloud request ids: ${cloud_request_ids.join(', ')}\n`);
    context.out(`no reason is stored for action ${action_uuid}\n`);
    return;
  }
  printTables(context, options, reason, [
    { row: { ...reason, cloud_request_ids }, columns: reasonColumns },
    { rows: listOf(reason?.values), columns: changeColumns },
    { rows: listOf(reason?.rejected), columns: rejectedColumns },
  ]);
}

function listOf(value: unknown): object[] {
  return Array.isArray(value) ? value : [];
}
