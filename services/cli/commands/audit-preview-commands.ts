import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { printAuditPreview, printComparison } from '../output/preview.ts';
import { clientOf, collect, type OutputOptions, parseParameters, withJson } from './shared-options.ts';

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
  withJson(parent.command('preview').description('Show the plan that an audit would propose now; stores nothing'))
    .requiredOption('-g, --goal <goal>', 'uuid or name')
    .option('-s, --strategy <strategy>', 'uuid or name')
    .option('-p, --parameter <name=value>', 'parameter of the strategy; may be repeated', collect)
    .action(async ({ json, goal, strategy, parameter }: PreviewOptions, command: Command) => {
      const body = { goal, strategy, parameters: parseParameters(parameter) };
      printAuditPreview(
        context,
        json,
        await dataOf(clientOf(context, command).api.POST('/v1/audits/preview', { body })),
      );
    });
  withJson(
    parent
      .command('compare')
      .description('Compare the plans that strategies of a goal would propose now; stores nothing'),
  )
    .requiredOption('-g, --goal <goal>', 'uuid or name')
    .requiredOption('-s, --strategy <strategy>', 'uuid or name; repeat for each, up to ten', collect)
    .action(async ({ json, goal, strategy }: CompareOptions, command: Command) => {
      const body = { goal, strategies: strategy };
      printComparison(context, json, await dataOf(clientOf(context, command).api.POST('/v1/audits/compare', { body })));
    });
}
