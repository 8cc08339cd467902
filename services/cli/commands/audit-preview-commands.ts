import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { auditPreviewColumns, comparisonColumns, printAuditPreview, printComparison } from '../output/preview.ts';
import { clientOf, collect, parseParameters } from './shared-options.ts';

interface PreviewOptions extends OutputOptions {
  goal: string;
  strategy?: string;
  parameter?: string[];
}

interface CompareOptions extends OutputOptions {
  goal: string;
  strategy: string[];
}

/** `audit preview|compare`: proposals without an audit. Nothing is stored. */
export function registerAuditPreviewCommands(parent: Command, context: CliContext): void {
  withRows(
    parent.command('preview').description('Show the plan that an audit would propose now, without storing it'),
    auditPreviewColumns,
  )
    .requiredOption('-g, --goal <goal>', 'uuid or name')
    .option('-s, --strategy <strategy>', 'uuid or name')
    .option('-p, --parameter <name=value>', 'parameter of the strategy; repeatable', collect)
    .action(async (options: PreviewOptions, command: Command) => {
      const { goal, strategy, parameter } = options;
      const body = { goal, strategy, parameters: parseParameters(parameter) };
      const call = clientOf(context, command).api.POST('/v1/audits/preview', { body });
      printAuditPreview(context, options, await dataOf(call));
    });
  withRows(
    parent
      .command('compare')
      .description('Compare the plans that strategies of a goal would propose now, without storing them'),
    comparisonColumns,
  )
    .requiredOption('-g, --goal <goal>', 'uuid or name')
    .requiredOption('-s, --strategy <strategy>', 'uuid or name; repeatable, up to ten', collect)
    .action(async (options: CompareOptions, command: Command) => {
      const body = { goal: options.goal, strategies: options.strategy };
      const call = clientOf(context, command).api.POST('/v1/audits/compare', { body });
      printComparison(context, options, await dataOf(call));
    });
}
