import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { isTable, printTables } from '../output/print.ts';
import { clientOf, pathWith, positive } from './shared-options.ts';

interface PromiseRow {
  strategy_name: string | null;
  quantity: string;
  within: number;
  below: number;
  above: number;
  not_measured: number;
  not_attributable: number;
}

const columns = [
  column('strategy_name', { title: 'Strategy' }),
  column('quantity', { title: 'Promise' }),
  column('kept', { title: 'Within range' }),
  column('below'),
  column('above'),
  column('not_measured'),
  column('not_attributable'),
];

/** `promises`: of each strategy, how many plans kept their promises, over weeks. */
export function registerPromisesCommand(program: Command, context: CliContext): void {
  withRows(program.command('promises').description('Show how many plans kept their promises, by strategy'), columns)
    .option('--weeks <number>', 'number of past weeks, at most 104, default 12', positive)
    .action(async (options: OutputOptions & { weeks?: number }, command: Command) => {
      const path = pathWith('/trends', { weeks: options.weeks?.toString() });
      const { promises } = await clientOf(context, command).internal<{ promises: PromiseRow[] }>('GET', path);
      const rows = promises.map((row) => ({ ...row, kept: keptText(row) }));
      printTables(context, options, promises, [{ rows, columns }]);
      if (rows.length === 0 && isTable(options)) context.out('No plan with promises succeeded in this period.\n');
    });
}

/** Kept promises of those that were measured. */
export function keptText({ within, below, above }: Pick<PromiseRow, 'within' | 'below' | 'above'>): string {
  return `${within} of ${within + below + above}`;
}
