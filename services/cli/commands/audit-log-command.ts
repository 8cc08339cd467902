import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { OutcomeError } from '../errors.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withJson, withRows } from '../output/output-options.ts';
import { isTable, printJson, printRows } from '../output/print.ts';
import { clientOf, pathWith } from './shared-options.ts';

const columns = [
  column('at'),
  column('user_name'),
  column('operation'),
  column('target'),
  column('status'),
  column('summary'),
];

interface LogOptions extends OutputOptions {
  from?: string;
  to?: string;
  user?: string;
  target?: string;
  targetKind?: string;
  method?: string;
  limit?: string;
  marker?: string;
}

/** `audit-log`: requested changes with their callers and outcomes. */
export function registerAuditLogCommand(program: Command, context: CliContext): void {
  const log = program.command('audit-log').description('List requested changes and their users, newest first');
  registerVerify(log, context);
  withRows(log, columns)
    .option('--from <time>', 'start time, such as 2026-05-01T00:00:00Z')
    .option('--to <time>', 'end time')
    .option('--user <user>', 'filter by user (id or name)')
    .option('--target <target>', 'filter by target (uuid, or name in the request)')
    .option('--target-kind <kind>', 'filter by kind of target, such as audit or action_plan')
    .option('--method <method>', 'filter by method: POST, PATCH or DELETE')
    .option('--limit <number>', 'maximum number of entries, default 100')
    .option('--marker <uuid>', 'start after this entry')
    .action(async (options: LogOptions, command: Command) => {
      const path = pathWith('/audit-log', {
        from: options.from,
        to: options.to,
        user: options.user,
        target: options.target,
        target_kind: options.targetKind,
        method: options.method,
        limit: options.limit,
        marker: options.marker,
      });
      const { entries } = await clientOf(context, command).internal<{ entries: object[] }>('GET', path);
      printRows(context, options, entries, columns);
    });
}

interface Verification {
  checked: number;
  unsealed: number;
  first: number;
  last: string | null;
  faults: { number: number; uuid: string | null; kind: string }[];
}

const faultColumns = [column('number'), column('kind'), column('uuid')];

/** Fails when an entry was changed or removed. */
function registerVerify(log: Command, context: CliContext): void {
  withJson(log.command('verify').description('Check that no entry was changed or removed since it was written'))
    .option('--last <number:hash>', 'last entry that an earlier check printed; the chain must contain it')
    .action(async (_options: object, command: Command) => {
      // The command above has the same options and takes them.
      const options = command.optsWithGlobals<OutputOptions & { last?: string }>();
      const path = pathWith('/audit-log/verification', { last: options.last });
      const report = await clientOf(context, command).internal<Verification>('GET', path);
      const { checked, unsealed, last, faults } = report;
      if (isTable(options)) {
        if (faults.length > 0) printRows(context, {}, faults, faultColumns);
        context.out(`${checked} entries checked, ${unsealed} not sealed yet; last: ${last ?? 'none'}\n`);
      } else printJson(context, report, options);
      if (faults.length > 0) throw new OutcomeError('the audit log was changed after it was written');
    });
}
