import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { outcomeColumns, printOutcome } from '../output/outcome.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { planPreviewColumns, printPlanPreview } from '../output/preview.ts';
import { printRow } from '../output/print.ts';
import { clientOf } from './shared-options.ts';

const stateColumns = [column('uuid'), column('state'), column('status_message')];

const controls = {
  pause: 'Pause a plan; running actions finish',
  resume: 'Resume a paused plan',
  abort: 'Cancel a plan and abort its running actions',
} as const;

const heldByText = (value: unknown) => String((value as { text?: string }).text ?? '');

const stalenessColumns = [
  column('action_plan_uuid'),
  column('stale'),
  column('text'),
  column('hosts'),
  column('hosts_changed'),
  column('migrations_since'),
  column('held_by', heldByText),
];

/** `actionplan preview|outcome|staleness|pause|resume|abort`. */
export function registerPlanControlCommands(parent: Command, context: CliContext): void {
  withRows(
    parent.command('preview').description('Show order, duration, rollback and reasons of the actions'),
    planPreviewColumns,
  )
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/preview', {
        params: { path: { ident } },
      });
      printPlanPreview(context, options, await dataOf(call));
    });
  withRows(parent.command('outcome').description('Show execution, rollback and outcome of a plan'), outcomeColumns)
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      const call = client.api.GET('/v1/action_plans/{ident}/outcome', {
        params: { path: { ident } },
      });
      const outcome = await dataOf(call);
      printOutcome(context, options, await client.get('action_plans', ident), outcome);
    });
  withFields(
    parent.command('staleness').description('Show changes of hosts since the plan was created, and its current gain'),
    stalenessColumns,
  )
    .argument('<uuid>')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/staleness', {
        params: { path: { ident } },
      });
      printRow(context, options, await dataOf(call), stalenessColumns);
    });
  for (const word of ['pause', 'resume', 'abort'] as const) {
    withFields(parent.command(word).description(controls[word]), stateColumns)
      .argument('<uuid>')
      .action(async (ident: string, options: OutputOptions, command: Command) => {
        const { api } = clientOf(context, command);
        const call = api.POST(`/v1/action_plans/{ident}/${word}`, { params: { path: { ident } } });
        printRow(context, options, await dataOf(call), stateColumns);
      });
  }
}
