import type { Command } from 'commander';
import { type AuditSearch, dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { isTable, printRow, printRows } from '../output/print.ts';
import { clientOf, positive } from './shared-options.ts';

/** Decimals of a number that is not a count. */
const rounded = (value: unknown): string => (typeof value === 'number' ? String(Number(value.toFixed(1))) : '');
const minutes = (seconds: unknown): string => rounded((seconds as number) / 60);

const variantColumns = [
  column('budget', (budget) => (budget === 0 ? 'any' : String(budget))),
  column('moves'),
  column('gib', rounded),
  column('seconds', { title: 'Minutes', format: minutes }),
  column('value', rounded),
  column('bound', rounded),
  column('chosen', (chosen) => (chosen ? 'yes' : '')),
  column('action_plans', (plans) =>
    (plans as { uuid: string; state: string }[]).map(({ uuid, state }) => `${uuid} ${state}`).join('\n'),
  ),
];

const planColumns = [column('uuid'), column('state'), column('audit_uuid'), column('strategy_name')];

/** `audit variants|plan|search|finish`: plans of several sizes that a search found, and a running search. */
export function registerAuditVariantCommands(parent: Command, context: CliContext): void {
  withRows(
    parent.command('variants').description('Show the gain of plans of several sizes, as found by the last run'),
    variantColumns,
  )
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/audits/{ident}/variants', { params: { path: { ident } } });
      const { variants } = await dataOf(call);
      if (variants.length === 0 && isTable(options)) context.out('the last run found no plans of several sizes\n');
      else printRows(context, options, variants, variantColumns);
    });
  withFields(
    parent.command('plan').description('Plan another size on the newest model; starting it cancels the others'),
    planColumns,
  )
    .argument('<id>', 'uuid or name')
    .requiredOption('--moves <number>', 'migrations, as `audit variants` shows them', positive)
    .action(async (ident: string, options: OutputOptions & { moves: number }, command: Command) => {
      const call = clientOf(context, command).api.POST('/v1/audits/{ident}/plan', {
        params: { path: { ident } },
        body: { moves: options.moves },
      });
      printRow(context, options, await dataOf(call), planColumns);
    });
  withFields(parent.command('search').description('Show the results of a running search so far'), searchColumns)
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/audits/{ident}/search', { params: { path: { ident } } });
      printSearch(context, options, await dataOf(call));
    });
  withFields(
    parent.command('finish').description('End the search of a running audit and keep its best plan'),
    searchColumns,
  )
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.POST('/v1/audits/{ident}/finish', { params: { path: { ident } } });
      printSearch(context, options, await dataOf(call));
    });
}

const searchColumns = [
  column('value', rounded),
  column('bound', rounded),
  column('moves'),
  column('work'),
  column('budget'),
  column('starts'),
  column('is_finishing', (isFinishing) => (isFinishing ? 'yes' : 'no')),
];

function printSearch(context: CliContext, options: OutputOptions, { audit_uuid: uuid, search }: AuditSearch): void {
  if (search !== null) printRow(context, options, search, searchColumns);
  else if (isTable(options)) context.out(`audit ${uuid} is not running\n`);
  else printRow(context, options, {}, searchColumns);
}
