import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withFields } from '../output/output-options.ts';
import { printRow } from '../output/print.ts';
import { clientOf } from './shared-options.ts';

interface ApproveOptions extends OutputOptions {
  comment?: string;
  forceStale?: boolean;
}

/** Name, or else id, of a user as plans show it. */
export const personText = (value: unknown) => {
  const person = value as { user_id?: string | null; user_name?: string | null } | null;
  return person?.user_name ?? person?.user_id ?? '';
};

const columns = [
  column('action_plan_uuid'),
  column('state'),
  column('approval'),
  column('reason'),
  column('decided_by', personText),
  column('at'),
  column('comment'),
  column('void_because'),
  column('starts_when_approved'),
];

/** `actionplan approval|approve|refuse`: decisions of a second person. */
export function registerApprovalCommands(parent: Command, context: CliContext): void {
  withFields(
    parent.command('approval').description('Show whether a plan needs the approval of a second person'),
    columns,
  )
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/approval', {
        params: { path: { ident } },
      });
      printRow(context, options, await dataOf(call), columns);
    });
  withFields(parent.command('approve').description('Approve a plan that another user requested'), columns)
    .argument('<uuid>')
    .option('--comment <text>', 'comment, shown with the approval')
    .option('--force-stale', 'approve even if hosts have changed since the plan was created')
    .action(async (ident: string, options: ApproveOptions, command: Command) => {
      const call = clientOf(context, command).api.POST('/v1/action_plans/{ident}/approve', {
        params: { path: { ident } },
        body: { comment: options.comment, force_stale: options.forceStale },
      });
      printRow(context, options, await dataOf(call), columns);
    });
  withFields(parent.command('refuse').description('Refuse and cancel a plan'), columns)
    .argument('<uuid>')
    .requiredOption('--comment <text>', 'reason, shown with the plan')
    .action(async (ident: string, options: OutputOptions & { comment: string }, command: Command) => {
      const call = clientOf(context, command).api.POST('/v1/action_plans/{ident}/refuse', {
        params: { path: { ident } },
        body: { comment: options.comment },
      });
      printRow(context, options, await dataOf(call), columns);
    });
}
