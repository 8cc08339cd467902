import type { Command } from 'commander';
import { type CliContext, note } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withJson, withRows } from '../output/output-options.ts';
import { printJson, printTables } from '../output/print.ts';
import { clientOf, pathWith } from './shared-options.ts';

interface DeadLetterResponse {
  dead_letters: object[];
  count: number;
}

const columns = [column('id'), column('type'), column('dead_at'), column('reason')];

/** `dead-letters list|redrive|discard`: dead letters of the bus. */
export function registerDeadLetterCommands(program: Command, context: CliContext): void {
  const letters = program.command('dead-letters').description('Dead-lettered messages of the bus');
  withRows(letters.command('list').description('List dead letters, newest first, without removing them'), columns)
    .option('--limit <number>', 'maximum number of entries, default 100')
    .action(async (options: OutputOptions & { limit?: string }, command: Command) => {
      const path = pathWith('/dead-letters', { limit: options.limit });
      const response = await clientOf(context, command).internal<DeadLetterResponse>('GET', path);
      printTables(context, options, response, [{ rows: response.dead_letters, columns }]);
      const more = response.count - response.dead_letters.length;
      if (more > 0) note(context, `and ${more} more\n`);
    });
  withJson(letters.command('redrive').description('Return a message to its queue'))
    .argument('<letter>', 'id from the list')
    .action(async (letter: string, { json }: OutputOptions, command: Command) => {
      await clientOf(context, command).internal<undefined>('POST', `${pathOf(letter)}/redrive`);
      if (json) printJson(context, { redriven: letter });
    });
  withJson(letters.command('discard').description('Discard a message permanently'))
    .argument('<letter>', 'id from the list')
    .action(async (letter: string, { json }: OutputOptions, command: Command) => {
      await clientOf(context, command).internal<undefined>('DELETE', pathOf(letter));
      if (json) printJson(context, { discarded: letter });
    });
}

function pathOf(letter: string): string {
  return `/dead-letters/${encodeURIComponent(letter)}`;
}
