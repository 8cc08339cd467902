import type { Command } from 'commander';
import type { CollectionEntries, VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import type { Column } from '../output/columns.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { isTable, printRow, printRows } from '../output/print.ts';
import { clientOf, type ListCommandOptions, listOptionsOf, uuidOf, withListOptions } from './shared-options.ts';

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
  filters?: ListFilter[];
}

/** An option of a list and its query argument. */
interface ListFilter {
  flags: string;
  option: string;
  argument: string;
  description: string;
  /** The option also takes names of these, which the API does not. */
  names?: 'audits';
}

/** Filters of kinds that have a goal and a strategy. */
export const goalAndStrategyFilters: ListFilter[] = [
  { flags: '--goal <goal>', option: 'goal', argument: 'goal', description: 'filter by goal' },
  { flags: '--strategy <strategy>', option: 'strategy', argument: 'strategy', description: 'filter by strategy' },
];

/** Adds `list` and `show`. */
export function registerReads(parent: Command, context: CliContext, reads: ReadCommands): void {
  const { collection, noun, filters = [] } = reads;
  const list = withRows(withListOptions(parent.command('list').description(`List ${noun}s`)), reads.list, reads.detail);
  for (const { flags, description } of filters) list.option(flags, description);
  list.action(async (options: ListCommandOptions & Record<string, string | undefined>, command: Command) => {
    const client = clientOf(context, command);
    const given: Record<string, string | undefined> = {};
    for (const { option, argument, names } of filters) {
      const value = options[option];
      given[argument] = names && value !== undefined ? await uuidOf(client, names, value) : value;
    }
    const rows = await client.list(collection, listOptionsOf(options, given));
    const [columns, others] = options.detail ? [reads.detail, reads.list] : [reads.list, reads.detail];
    printRows(context, options, rows, columns, others);
  });
  const fields = reads.show ?? reads.detail;
  withFields(parent.command('show').description(`Show one ${noun}`).argument('<id>', 'uuid or name'), fields).action(
    async (ident: string, options: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      const row = await client.get(collection, ident);
      const more = options.json ? {} : await reads.more?.(client, ident);
      printRow(context, options, { ...row, ...more }, fields);
      if (isTable(options)) await reads.afterShow?.(ident, command);
    },
  );
}
