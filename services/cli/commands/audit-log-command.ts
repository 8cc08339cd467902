import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { printRows } from '../output/print.ts';
import { clientOf, type OutputOptions, withJson } from './shared-options.ts';

const columns = [
  column('at'),
  column('user_name'),
  column('operation'),
  column('target'),
  column('status'),
  column('summary'),
];

/** `audit-log`: requested changes with their callers and outcomes. */
export function registerAuditLogCommand(program: Command, context: CliContext): void {
  withJson(program.command('audit-log').description('List requested changes and their users, newest first'))
    .option('--from <time>', 'only since this time, such as 2026-05-01T00:00:00Z')
    .option('--to <time>', 'only before this time')
    .option('--user <user>', 'only of this user, by id or name')
    .option('--target <target>', 'only for this target; uuid, or the name from the request')
    .option('--target-kind <kind>', 'only about this kind, such as audit or action_plan')
    .option('--method <method>', 'only POST, PATCH or DELETE')
    .option('--limit <number>', 'entries at most, default 100')
    .option('--marker <uuid>', 'start after this entry')
    .action(
      async (
        { json, targetKind, ...filters }: OutputOptions & { targetKind?: string } & Record<string, string>,
        command: Command,
      ) => {
        const query = new URLSearchParams({
          ...filters,
          ...(targetKind ? { target_kind: targetKind } : {}),
        }).toString();
        const path = query === '' ? '/audit-log' : `/audit-log?${query}`;
        const { entries } = await clientOf(context, command).internal<{ entries: object[] }>('GET', path);
        printRows(context, Boolean(json), entries, columns);
      },
    );
}
