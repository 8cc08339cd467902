import type { Command } from 'commander';
import type { CollectionEntries, VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import type { Column } from '../output/columns.ts';
import { printRow, printRows } from '../output/print.ts';
import {
  clientOf,
  type ListCommandOptions,
  listOptionsOf,
  type OutputOptions,
  withJson,
  withListOptions,
} from './shared-options.ts';

/** How a kind of entity is listed and shown. */
export interface ReadCommands {
  collection: keyof CollectionEntries;
  /** Word for one, in help texts. */
  noun: string;
  /** Columns of a list, of a list with `--detail`, and lines of `show`. */
  list: Column[];
  detail: Column[];
  show?: Column[];
  /** Fields that `show` adds to its table, from further requests. `--json` prints the entity without them. */
  more?(client: VigilClient, ident: string): Promise<object>;
  /** Prints more below the row of `show`. */
  afterShow?(ident: string, command: Command): Promise<void>;
  /** Options of the list and their query arguments. */
  filters?: { flags: string; option: string; argument: string; description: string }[];
}

/** Filters of kinds that have a goal and a strategy. */
export const goalAndStrategyFilters: NonNullable<ReadCommands['filters']> = [
  { flags: '--goal <goal>', option: 'goal', argument: 'goal', description: 'only of this goal' },
  { flags: '--strategy <strategy>', option: 'strategy', argument: 'strategy', description: 'only of this strategy' },
];

/** Adds `list` and `show`. */
export function registerReads(parent: Command, context: CliContext, reads: ReadCommands): void {
  const { collection, noun, filters = [] } = reads;
  const list = withListOptions(parent.command('list').description(`List ${noun}s`));
  for (const { flags, description } of filters) list.option(flags, description);
  list.action(async (options: ListCommandOptions & Record<string, string | undefined>, command: Command) => {
    const given = Object.fromEntries(filters.map(({ option, argument }) => [argument, options[option]]));
    const rows = await clientOf(context, command).list(collection, listOptionsOf(options, given));
    printRows(context, options.json, rows, options.detail ? reads.detail : reads.list);
  });
  withJson(parent.command('show').description(`Show one ${noun}`).argument('<id>', 'uuid or name')).action(
    async (ident: string, options: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      const row = await client.get(collection, ident);
      const more = options.json ? {} : await reads.more?.(client, ident);
      printRow(context, options.json, { ...row, ...more }, reads.show ?? reads.detail);
      if (!options.json) await reads.afterShow?.(ident, command);
    },
  );
}
