import type { Command } from 'commander';
import { type ActionReason, dataOf, type PatchOperations } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { actionText, column, linesText, objectText, recordTimes } from '../output/columns.ts';
import { printJson, printRow, printRows } from '../output/print.ts';
import { registerReads } from './register-reads.ts';
import { clientOf, type OutputOptions, withJson } from './shared-options.ts';

const listColumns = [
  column('uuid'),
  column('state'),
  { ...column('input_parameters', { format: actionText, isText: true }), title: 'What' },
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
        description: 'only of this plan (uuid)',
      },
      { flags: '--audit <audit>', option: 'audit', argument: 'audit_uuid', description: 'only of this audit (uuid)' },
    ],
  });
  withJson(parent.command('reason').description('Show the reason for an action'))
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/actions/{ident}/reason', { params: { path: { ident } } });
      printReason(context, options.json, await dataOf(call));
    });
  withJson(parent.command('skip').description('Skip an action that has not started, also in a running plan'))
    .argument('<uuid>')
    .option('--reason <text>', 'reason for skipping it')
    .action(async (ident: string, { json, reason }: OutputOptions & { reason?: string }, command: Command) => {
      const { api } = clientOf(context, command);
      const call = api.POST('/v1/actions/{ident}/skip', { params: { path: { ident } }, body: { reason } });
      printRow(context, json, await dataOf(call), detailColumns);
    });
  withJson(parent.command('update').description('Skip an action, or change the reason'))
    .argument('<uuid>')
    .option('--state <state>', 'SKIPPED')
    .option('--reason <text>', 'why it is skipped')
    .action(async (ident: string, options: OutputOptions & { state?: string; reason?: string }, command: Command) => {
      const body: PatchOperations = [];
      if (options.state) body.push({ op: 'replace', path: '/state', value: options.state });
      if (options.reason) body.push({ op: 'replace', path: '/status_message', value: options.reason });
      if (body.length === 0) throw new UsageError('give --state or --reason');
      const call = clientOf(context, command).api.PATCH('/v1/actions/{ident}', { params: { path: { ident } }, body });
      printRow(context, options.json, await dataOf(call), detailColumns);
    });
}

function printReason(context: CliContext, json: boolean | undefined, action: ActionReason): void {
  const { action_uuid, reason, cloud_request_ids: requests } = action;
  if (json) {
    printJson(context, reason);
    return;
  }
  if (requests.length > 0) context.out(`cloud request ids: ${requests.join(', ')}\n`);
  if (reason === null) {
    context.out(`no reason is stored for action ${action_uuid}\n`);
    return;
  }
  context.out(`${String(reason.summary)} (rule ${String(reason.rule)})\n`);
  if (Array.isArray(reason.values) && reason.values.length > 0) {
    printRows(context, false, reason.values, [
      column('quantity'),
      column('subject'),
      column('unit'),
      column('before'),
      column('after'),
    ]);
  }
  if (Array.isArray(reason.rejected) && reason.rejected.length > 0) {
    printRows(context, false, reason.rejected, [column('alternative'), column('because'), column('others')]);
  }
}
