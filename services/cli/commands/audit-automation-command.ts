import { type Command, Option } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, objectText } from '../output/columns.ts';
import { type OutputOptions, withFields } from '../output/output-options.ts';
import { printRow } from '../output/print.ts';
import { clientOf } from './shared-options.ts';

const columns = [column('audit_uuid'), column('level'), column('rule', objectText)];
const path = '/v1/audits/{ident}/automation';

/** `--automation-level`. */
export function automationOption(): Option {
  return new Option(
    '--automation-level <level>',
    '0: report, 1: propose, 2: start plans without risk, 3: start all plans within the budgets',
  ).choices(['0', '1', '2', '3']);
}

/** The level of the option, which commander has checked. */
export function levelOf(text: string): 0 | 1 | 2 | 3 {
  return Number(text) as 0 | 1 | 2 | 3;
}

/** `audit automation`: the automation level of an audit and its rule. */
export function registerAuditAutomationCommand(parent: Command, context: CliContext): void {
  withFields(parent.command('automation').description('Show or change the automation level of an audit'), columns)
    .argument('<id>', 'uuid or name')
    .addOption(automationOption())
    .action(async (ident: string, options: OutputOptions & { automationLevel?: string }, command: Command) => {
      const { api } = clientOf(context, command);
      const params = { path: { ident } };
      const { automationLevel: level } = options;
      const call =
        level === undefined ? api.GET(path, { params }) : api.PATCH(path, { params, body: { level: levelOf(level) } });
      printRow(context, options, await dataOf(call), columns);
    });
}
