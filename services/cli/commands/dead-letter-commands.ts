import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { printJson, printRows } from '../output/print.ts';
import { clientOf, type OutputOptions, withJson } from './shared-options.ts';

interface DeadLetterResponse {
  dead_letters: object[];
  count: number;
}

const columns = [column('id'), column('type'), column('dead_at'), column('reason')];

/** `dead-letters list|redrive|discard`: dead letters of the bus. */
export function registerDeadLetterCommands(program: Command, context: CliContext): void {
  const letters = program.command('dead-letters').description('Dead-lettered messages of the bus');
  withJson(letters.command('list').description('List dead letters, newest first, without taking them'))
    .option('--limit <number>', 'entries at most, default 100')
    .action(async ({ json, limit }: OutputOptions & { limit?: string }, command: Command) => {
      const path = limit === undefined ? '/dead-letters' : `/dead-letters?limit=${encodeURIComponent(limit)}`;
      const answer = await clientOf(context, command).internal<DeadLetterResponse>('GET', path);
      if (json) return printJson(context, answer);
      printRows(context, false, answer.dead_letters, columns);
      const more = answer.count - answer.dead_letters.length;
      if (more > 0) context.err(`and ${more} more\n`);
    });
  withJson(letters.command('redrive').description('Send a message to its queue again'))
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
