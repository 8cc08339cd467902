import { type Command, Option } from 'commander';
import { type Audit, type AuditCreate, dataOf, type VigilClient } from '#libs/client';
import { messageOf } from '#libs/domain';
import { type CliContext, note } from '../cli-context.ts';
import { OutcomeError, UsageError } from '../errors.ts';
import { column, objectText, recordTimes, strategyColumn } from '../output/columns.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { isTable, printRow } from '../output/print.ts';
import { printReport, reportColumns } from '../output/report.ts';
import { automationOption, levelOf, registerAuditAutomationCommand } from './audit-automation-command.ts';
import { registerAuditPreviewCommands } from './audit-preview-commands.ts';
import { registerAuditTokenCommands } from './audit-token-commands.ts';
import { registerAuditVariantCommands } from './audit-variant-commands.ts';
import { registerChanges } from './register-changes.ts';
import { goalAndStrategyFilters, registerReads } from './register-reads.ts';
import { clientOf, collect, parseParameters } from './shared-options.ts';
import { createWaiter, type WaitCommandOptions, type Waiter, withWait } from './waiter.ts';

const listColumns = [
  column('uuid'),
  column('name'),
  column('audit_type', { leaveOut: 3 }),
  column('state'),
  column('goal_name', { leaveOut: 1 }),
  { ...strategyColumn, leaveOut: 2 },
  column('auto_trigger', { leaveOut: 4 }),
];
const detailColumns = [
  column('uuid'),
  column('name'),
  ...recordTimes,
  column('state'),
  column('audit_type'),
  column('parameters', objectText),
  column('interval'),
  column('goal_name'),
  strategyColumn,
  column('scope', objectText),
  column('auto_trigger'),
  column('next_run_time'),
  column('hostname'),
  column('start_time'),
  column('end_time'),
  column('force'),
  column('status_message'),
];

const auditTypes = ['ONESHOT', 'CONTINUOUS', 'EVENT'];

interface CreateOptions extends WaitCommandOptions {
  audit_type?: string;
  goal?: string;
  strategy?: string;
  auditTemplate?: string;
  parameter?: string[];
  interval?: string;
  autoTrigger?: boolean;
  automationLevel?: string;
  name?: string;
  startTime?: string;
  endTime?: string;
  force?: boolean;
}

/** `audit`: runs of strategies that propose plans. */
export function registerAuditCommands(program: Command, context: CliContext): void {
  const parent = program.command('audit').description('Audits, which create action plans');
  registerReads(parent, context, {
    collection: 'audits',
    noun: 'audit',
    list: listColumns,
    detail: detailColumns,
    filters: goalAndStrategyFilters,
  });
  registerCreate(parent, context);
  registerChanges(parent, context, {
    collection: 'audits',
    noun: 'an audit',
    ident: 'uuid or name',
    columns: detailColumns,
  });
  registerCancel(parent, context);
  registerAuditPreviewCommands(parent, context);
  registerAuditVariantCommands(parent, context);
  registerAuditTokenCommands(parent, context);
  registerAuditAutomationCommand(parent, context);
  withRows(
    parent.command('report').description('Show the report of the last run: resources, constraints and metrics'),
    reportColumns,
  )
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/audits/{ident}/report', { params: { path: { ident } } });
      printReport(context, options, await dataOf(call));
    });
}

function registerCreate(parent: Command, context: CliContext): void {
  withWait(
    withFields(
      parent.command('create').description('Create an audit; a ONESHOT audit runs immediately'),
      detailColumns,
    ),
    'wait until the audit ends',
  )
    .addOption(new Option('-t, --audit_type <type>', 'when the audit runs').choices(auditTypes).default('ONESHOT'))
    .option('-g, --goal <goal>', 'uuid or name')
    .option('-s, --strategy <strategy>', 'uuid or name')
    .option('-a, --audit-template <template>', 'uuid or name, instead of a goal')
    .option('-p, --parameter <name=value>', 'parameter of the strategy; repeatable', collect)
    .option('-i, --interval <interval>', 'seconds or cron expression, for CONTINUOUS')
    .option('--auto-trigger', 'start the action plan automatically')
    .addOption(automationOption())
    .option('--name <name>', 'name of the audit')
    .option('--start-time <time>', 'start of a CONTINUOUS audit, local time of the server unless it has an offset')
    .option('--end-time <time>', 'end of a CONTINUOUS audit, local time of the server unless it has an offset')
    .option('--force', 'run even if an action plan is ongoing')
    .action(async (options: CreateOptions, command: Command) => {
      requireComplete(options);
      const client = clientOf(context, command);
      const waiter = createWaiter(context, options);
      const body = await waiter.send(() => bodyOf(client, options));
      const created = await waiter.once((headers) => dataOf(client.api.POST('/v1/audits', { body, headers })));
      const audit = options.wait ? await waitForAudit(waiter, client, created.uuid) : created;
      printRow(context, options, audit, detailColumns);
      if (!options.wait) return;
      requireSuccess(audit);
      if (!isTable(options)) return;
      const hint = nextStep(client, audit).catch((error: unknown) => `Cannot show its plan: ${messageOf(error)}\n`);
      note(context, await hint);
    });
}

function waitForAudit(waiter: Waiter, client: VigilClient, uuid: string): Promise<Audit> {
  const goesOn = `audit ${uuid} continues: vigil audit show ${uuid}`;
  return waiter.wait((settings) => client.waitForAudit(uuid, settings), goesOn);
}

/** Proposal of the audit, and the next command. */
async function nextStep(client: VigilClient, { uuid }: Audit): Promise<string> {
  const newest = { limit: 1, sortKey: 'created_at', sortDir: 'desc', filters: { audit_uuid: uuid } } as const;
  const [plan] = await client.list('action_plans', newest);
  if (plan === undefined) return `No action plan was created. For the reason: vigil audit report ${uuid}\n`;
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  if (actions.length === 0) return `Action plan ${plan.uuid} is empty. For the reason: vigil audit report ${uuid}\n`;
  const what = `Action plan ${plan.uuid} has ${actions.length} action${actions.length > 1 ? 's' : ''} and is ${plan.state}.`;
  if (plan.state !== 'RECOMMENDED') return `${what}\nTo follow it: vigil actionplan show ${plan.uuid}\n`;
  return `${what}\nTo view it: vigil actionplan preview ${plan.uuid}\nTo execute it: vigil actionplan start ${plan.uuid} --wait\n`;
}

function requireComplete({ goal, auditTemplate, audit_type, interval }: CreateOptions): void {
  if (!goal && !auditTemplate)
    throw new UsageError('specify --goal or --audit-template; `vigil goal list` shows the goals');
  if (audit_type === 'CONTINUOUS' && !interval) throw new UsageError('a CONTINUOUS audit needs --interval');
}

async function bodyOf(client: VigilClient, options: CreateOptions): Promise<AuditCreate> {
  const template = options.auditTemplate ? await client.get('audit_templates', options.auditTemplate) : undefined;
  return {
    audit_type: (options.audit_type ?? 'ONESHOT') as AuditCreate['audit_type'],
    audit_template_uuid: template?.uuid,
    goal: options.goal,
    strategy: options.strategy,
    name: options.name,
    parameters: parseParameters(options.parameter),
    interval: options.interval,
    ...(options.automationLevel === undefined
      ? { auto_trigger: options.autoTrigger ?? false }
      : { automation_level: levelOf(options.automationLevel), auto_trigger: options.autoTrigger }),
    start_time: options.startTime,
    end_time: options.endTime,
    force: options.force ?? false,
  };
}

function requireSuccess(audit: Audit): void {
  if (audit.state === 'SUCCEEDED') return;
  throw new OutcomeError(
    `audit ${audit.uuid} is ${audit.state}${audit.status_message ? `: ${audit.status_message}` : ''}`,
  );
}

function registerCancel(parent: Command, context: CliContext): void {
  withFields(parent.command('cancel').description('Cancel an audit'), detailColumns)
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.PATCH('/v1/audits/{ident}', {
        params: { path: { ident } },
        body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
      });
      printRow(context, options, await dataOf(call), detailColumns);
    });
}
