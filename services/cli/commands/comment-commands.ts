import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withFields } from '../output/output-options.ts';
import { printRow, printRows } from '../output/print.ts';
import { personText } from './approval-commands.ts';
import { clientOf } from './shared-options.ts';

const columns = [column('created_at'), column('author', personText), column('text', { isText: true })];

/** `actionplan comment|comments`: comments of users on a plan. */
export function registerCommentCommands(parent: Command, context: CliContext): void {
  withFields(parent.command('comment').description('Comment on a plan'), columns)
    .argument('<uuid>')
    .argument('<text>', 'plain text, 1 to 2,000 characters')
    .action(async (ident: string, text: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.POST('/v1/action_plans/{ident}/comments', {
        params: { path: { ident } },
        body: { text },
      });
      printRow(context, options, await dataOf(call), columns);
    });
  withFields(parent.command('comments').description('Show the comments on a plan, newest last'), columns)
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/comments', {
        params: { path: { ident } },
      });
      printRows(context, options, (await dataOf(call)).comments, columns);
    });
}
