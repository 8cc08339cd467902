import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import type { Column } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson } from '../output/output-options.ts';
import { printJson, printRow } from '../output/print.ts';
import { clientOf, parsePatch } from './shared-options.ts';

/** How a kind of entity is changed and deleted. */
export interface ChangeCommands {
  collection: 'audits' | 'audit_templates' | 'action_plans';
  /** Word for one, with its article, in help texts. */
  noun: string;
  /** Words for its identifier, such as `uuid or name`. */
  ident: string;
  /** Lines of the changed entity. */
  columns: Column[];
}

/** Adds `update` and `delete`. */
export function registerChanges(parent: Command, context: CliContext, changes: ChangeCommands): void {
  const path = `/v1/${changes.collection}/{ident}` as const;
  withFields(parent.command('update').description(`Change attributes of ${changes.noun}`), changes.columns)
    .argument('<id>', changes.ident)
    .argument('<op>', 'add, replace or remove')
    .argument('<attributes...>', 'path=value')
    .action(async (ident: string, op: string, words: string[], options: OutputOptions, command: Command) => {
      const { api } = clientOf(context, command);
      const call = api.PATCH(path, { params: { path: { ident } }, body: parsePatch(op, words) });
      printRow(context, options, await dataOf(call), changes.columns);
    });
  withJson(parent.command('delete').description(`Delete ${changes.noun}, or several`))
    .argument('<ids...>', changes.ident)
    .action(async (idents: string[], { json }: OutputOptions, command: Command) => {
      const { api } = clientOf(context, command);
      for (const ident of idents) await api.DELETE(path, { params: { path: { ident } } });
      if (json) printJson(context, { deleted: idents });
    });
}
