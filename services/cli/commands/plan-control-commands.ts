import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { printOutcome } from '../output/outcome.ts';
import { printPlanPreview } from '../output/preview.ts';
import { printJson, printRow } from '../output/print.ts';
import { clientOf, type OutputOptions, withJson } from './shared-options.ts';

const stateColumns = [column('uuid'), column('state'), column('status_message')];

const controls = {
  pause: 'Start no further action; running ones finish',
  resume: 'Continue after a pause',
  abort: 'Cancel, and abort running actions',
} as const;

const stalenessColumns = [
  column('action_plan_uuid'),
  column('stale'),
  column('text'),
  column('hosts'),
  column('hosts_changed'),
  column('migrations_since'),
  column('held_by'),
];

/** `actionplan preview|outcome|staleness|pause|resume|abort`. */
export function registerPlanControlCommands(parent: Command, context: CliContext): void {
  withJson(parent.command('preview').description('Show order, duration, rollback and reasons before the start'))
    .argument('<uuid>')
    .action(async (ident: string, { json }: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/preview', {
        params: { path: { ident } },
      });
      printPlanPreview(context, json, await dataOf(call));
    });
  withJson(parent.command('outcome').description('Show execution, rollback and outcome of a plan'))
    .argument('<uuid>')
    .action(async (ident: string, { json }: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      const call = client.api.GET('/v1/action_plans/{ident}/outcome', {
        params: { path: { ident } },
      });
      const outcome = await dataOf(call);
      if (json) printJson(context, outcome);
      else printOutcome(context, await client.get('action_plans', ident), outcome);
    });
  withJson(
    parent.command('staleness').description('Show changes of the hosts since the plan was made, and its gain now'),
  )
    .argument('<uuid>')
    .action(async (ident: string, { json }: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/action_plans/{ident}/staleness', {
        params: { path: { ident } },
      });
      const staleness = await dataOf(call);
      printRow(
        context,
        json,
        { ...staleness, held_by: json ? staleness.held_by : staleness.held_by?.text },
        stalenessColumns,
      );
    });
  for (const word of ['pause', 'resume', 'abort'] as const) {
    withJson(parent.command(word).description(controls[word]))
      .argument('<uuid>')
      .action(async (ident: string, { json }: OutputOptions, command: Command) => {
        const { api } = clientOf(context, command);
        const call = api.POST(`/v1/action_plans/{ident}/${word}`, { params: { path: { ident } } });
        printRow(context, json, await dataOf(call), stateColumns);
      });
  }
}
