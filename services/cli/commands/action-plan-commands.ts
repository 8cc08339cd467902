import type { Command } from 'commander';
import { type ActionPlan, dataOf, effectText, type Measured, type VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, efficacyText, recordTimes } from '../output/columns.ts';
import { withFields } from '../output/output-options.ts';
import { printRow } from '../output/print.ts';
import { registerApprovalCommands } from './approval-commands.ts';
import { registerCommentCommands } from './comment-commands.ts';
import { registerPlanControlCommands } from './plan-control-commands.ts';
import { registerChanges } from './register-changes.ts';
import { registerReads } from './register-reads.ts';
import { registerRollbackCommand } from './rollback-command.ts';
import { clientOf } from './shared-options.ts';
import { type StartFlags, startFields, withStartFlags } from './start-flags.ts';
import { requirePlanState, requireWholePlan, waitForPlan } from './wait-for-plan.ts';
import { createWaiter, type WaitCommandOptions, withWait } from './waiter.ts';

const listColumns = [
  column('uuid'),
  column('audit_uuid', { leaveOut: 3 }),
  column('state'),
  column('updated_at', { leaveOut: 2 }),
  column('global_efficacy', { format: efficacyText, leaveOut: 1 }),
];
const detailColumns = [
  column('uuid'),
  ...recordTimes,
  column('audit_uuid'),
  column('strategy_name'),
  column('state'),
  column('efficacy_indicators', efficacyText),
  column('global_efficacy', efficacyText),
  column('hostname'),
  column('status_message'),
];

interface StartOptions extends WaitCommandOptions, StartFlags {
  skip?: string[];
}

/** `actionplan`: plans of audits. */
export function registerActionPlanCommands(program: Command, context: CliContext): void {
  const parent = program.command('actionplan').description('Action plans, which audits recommend');
  registerReads(parent, context, {
    collection: 'action_plans',
    noun: 'action plan',
    list: listColumns,
    detail: detailColumns,
    show: [...detailColumns, column('effect')],
    more: readEffect,
    afterShow: (ident, command) => showStaleness(context, ident, command),
    filters: [
      {
        flags: '--audit <audit>',
        option: 'audit',
        argument: 'audit_uuid',
        description: 'filter by audit (uuid or name)',
        names: 'audits',
      },
      {
        flags: '--approval <state>',
        option: 'approval',
        argument: 'approval',
        description: 'filter by approval: wanted, given or refused',
      },
    ],
  });
  registerStart(parent, context);
  registerCancel(parent, context);
  registerPlanControlCommands(parent, context);
  registerApprovalCommands(parent, context);
  registerCommentCommands(parent, context);
  registerRollbackCommand(parent, context);
  registerChanges(parent, context, {
    collection: 'action_plans',
    noun: 'an action plan',
    ident: 'uuid',
    columns: detailColumns,
  });
}

/** The measured effect of a plan. */
async function readEffect(client: VigilClient, ident: string): Promise<{ effect: string | null }> {
  const call = client.api.GET('/v1/action_plans/{ident}/outcome', { params: { path: { ident } } });
  const { outcome } = await dataOf(call);
  return { effect: effectText((outcome as Measured | null)?.measurement) };
}

/** Prints the staleness of a plan that can still be started. An API of an earlier release does not report it. */
async function showStaleness(context: CliContext, ident: string, command: Command): Promise<void> {
  const client = clientOf(context, command);
  const { state, uuid } = await client.get('action_plans', ident);
  if (state !== 'RECOMMENDED') return;
  const call = client.api.GET('/v1/action_plans/{ident}/staleness', { params: { path: { ident: uuid } } });
  const staleness = await dataOf(call).catch(() => null);
  if (staleness === null) return;
  const approval = await dataOf(
    client.api.GET('/v1/action_plans/{ident}/approval', { params: { path: { ident: uuid } } }),
  ).catch(() => null);
  if (approval?.approval) context.out(`Approval ${approval.approval}: ${approval.void_because ?? approval.reason}\n`);
  context.out(`${staleness.stale ? 'Stale' : 'Not stale'}: ${staleness.text}\n`);
  if (staleness.held_by) context.out(`Cannot start now: ${staleness.held_by.text}\n`);
}

function registerStart(parent: Command, context: CliContext): void {
  const command = withWait(
    withFields(parent.command('start').description('Execute a recommended action plan'), detailColumns),
    'show progress until the plan ends',
  ).argument('<uuid>');
  withStartFlags(command)
    .option('--skip <uuids...>', 'actions to skip')
    .action(async (ident: string, options: StartOptions, command: Command) => {
      const client = clientOf(context, command);
      const body = { ...startFields(options), skip_actions: options.skip };
      const waiter = createWaiter(context, options);
      const started = await waiter.once((headers) =>
        dataOf(client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident } }, body, headers })),
      );
      const plan = options.wait ? await waitForPlan(waiter, client, started.uuid) : started;
      printRow(context, options, plan, detailColumns);
      if (!options.wait) return;
      requirePlanState(plan, 'SUCCEEDED');
      if (options.maxMigrations !== undefined) await requireWholePlan(waiter, client, plan);
    });
}

function registerCancel(parent: Command, context: CliContext): void {
  withWait(
    withFields(parent.command('cancel').description('Cancel an action plan'), detailColumns),
    'wait until all actions have ended',
  )
    .argument('<uuid>')
    .action(async (ident: string, options: WaitCommandOptions, command: Command) => {
      const client = clientOf(context, command);
      const waiter = createWaiter(context, options);
      let isRepeated = false;
      const cancelled = await waiter.send(async () => {
        const plan = await client.get('action_plans', ident);
        // An earlier attempt may have succeeded although its response was lost.
        if (isRepeated && plan.state.startsWith('CANCEL')) return plan;
        isRepeated = true;
        return cancelPlan(client, plan);
      });
      const plan = options.wait ? await waitForPlan(waiter, client, ident) : cancelled;
      printRow(context, options, plan, detailColumns);
      if (options.wait) requirePlanState(plan, 'CANCELLED');
    });
}

function cancelPlan({ api }: VigilClient, { uuid, state }: ActionPlan): Promise<ActionPlan> {
  const value = state === 'ONGOING' || state === 'SUSPENDED' ? 'CANCELLING' : 'CANCELLED';
  const call = api.PATCH('/v1/action_plans/{ident}', {
    params: { path: { ident: uuid } },
    body: [{ op: 'replace', path: '/state', value }],
  });
  return dataOf(call);
}
