import type { Command } from 'commander';
import { dataOf, VigilApiError, type VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column, objectText, requirementText, specificationText } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { printRows } from '../output/print.ts';
import { registerReads } from './register-reads.ts';
import { clientOf } from './shared-options.ts';

const requirementColumns = [
  column('type'),
  column('state', { format: requirementText, isText: true, isWhole: false }),
  column('mandatory'),
  column('comment', { isText: true }),
];
const goalFilter = { flags: '--goal <goal>', option: 'goal', argument: 'goal', description: 'filter by goal' };

/** `goal`, `strategy`, `scoringengine` and `service`: the catalogue of the deployment. */
export function registerCatalogueCommands(program: Command, context: CliContext): void {
  const goalColumns = [column('uuid'), column('name'), column('display_name')];
  registerReads(program.command('goal').description('Goals of audits'), context, {
    collection: 'goals',
    noun: 'goal',
    list: goalColumns,
    detail: [...goalColumns, column('efficacy_specification', specificationText)],
  });
  const strategyColumns = [column('uuid'), column('name'), column('display_name'), column('goal_name')];
  const strategy = program.command('strategy').description('Strategies of the goals');
  registerReads(strategy, context, {
    collection: 'strategies',
    noun: 'strategy',
    list: strategyColumns,
    detail: [...strategyColumns, column('parameters_spec', objectText)],
    show: [...strategyColumns, column('description'), column('parameters_spec', objectText)],
    more: describeStrategy,
    filters: [goalFilter],
  });
  withRows(
    strategy.command('state').description('Show the requirements of a strategy and whether they are met'),
    requirementColumns,
  )
    .argument('<id>', 'uuid or name')
    .action(async (ident: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET('/v1/strategies/{ident}/state', { params: { path: { ident } } });
      printRows(context, options, await dataOf(call), requirementColumns);
    });
  const engineColumns = [column('uuid'), column('name'), column('description')];
  registerReads(program.command('scoringengine').description('Scoring engines'), context, {
    collection: 'scoring_engines',
    noun: 'scoring engine',
    list: engineColumns,
    detail: [...engineColumns, column('metainfo')],
  });
  const serviceColumns = [column('id'), column('name'), column('host'), column('status')];
  registerReads(program.command('service').description('Processes of the deployment'), context, {
    collection: 'services',
    noun: 'service',
    list: serviceColumns,
    detail: [...serviceColumns, column('last_seen_up')],
  });
}

/** The description in the manifest of a strategy. Nothing for users who may not list plugins. */
async function describeStrategy(client: VigilClient, ident: string): Promise<{ description?: string | null }> {
  try {
    const [{ name }, { plugins }] = await Promise.all([
      client.get('strategies', ident),
      dataOf(client.api.GET('/v1/plugins')),
    ]);
    return { description: plugins.find((plugin) => plugin.kind === 'strategy' && plugin.name === name)?.description };
  } catch (error) {
    if (error instanceof VigilApiError && error.status === 403) return {};
    throw error;
  }
}
