import { Command } from 'commander';
import { printable } from '#libs/domain';
import { loadConfiguredPlugins } from '#libs/plugin-kit';
import { createLogger, findOtherWriterWithin, newUuid, runProgram, withRunningStack } from '#libs/service-kit';
import { commonEnv, parseEnv, requireDatabaseUrl, warnOfUnknownKeys } from '#libs/service-kit/env';
import { createStore } from '#libs/store';
import { builtInPlugins } from '../built-in-plugins.ts';
import { type SyncResult, syncCatalogue } from '../catalogue-sync/sync-catalogue.ts';
import { decisionEngineEnv } from '../env.ts';

/**
 * `vigil catalogue sync`: stores the goals, strategies and scoring engines of the loaded plugins, as a starting
 * decision engine does, and ends. Only the database is needed.
 * @returns the exit code: 0, 1 when the database cannot be used, 2 for wrong usage and an invalid configuration.
 */
export function run(args: string[]): Promise<number> {
  // The command copies the override when it is created.
  const program = new Command('vigil catalogue')
    .exitOverride()
    .description('Goals, strategies and scoring engines in the domain store.');
  program
    .command('sync')
    .description('synchronize the stored goals, strategies and scoring engines with the loaded plugins')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const result = await sync(withRunningStack(process.env));
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : textOf(result));
    });
  return runProgram('catalogue', program, args);
}

async function sync(environment: NodeJS.ProcessEnv): Promise<SyncResult> {
  const { VIGIL_PLUGINS, VIGIL_PLUGINS_STRICT } = decisionEngineEnv;
  const schema = { ...commonEnv, VIGIL_PLUGINS, VIGIL_PLUGINS_STRICT };
  const env = parseEnv(schema, { VIGIL_LOG_LEVEL: 'warn', ...environment });
  const logger = createLogger({ service: 'catalogue', level: env.VIGIL_LOG_LEVEL, pretty: env.VIGIL_LOG_PRETTY });
  warnOfUnknownKeys(environment, logger);
  const { registry, faults } = await loadConfiguredPlugins(env.VIGIL_PLUGINS, builtInPlugins(), {
    strict: env.VIGIL_PLUGINS_STRICT,
    verify: true,
    findOtherWriter: findOtherWriterWithin,
  });
  for (const fault of faults) logger.warn(fault, 'cannot load plugin; its stored goals and strategies stay');
  const store = await createStore({ url: requireDatabaseUrl(env), logger, applicationName: 'vigil-catalogue' });
  try {
    const plugins = {
      goals: registry.goals(),
      strategies: registry.strategies(),
      scoringEngines: registry.scoringEngines(),
    };
    return await syncCatalogue(store, plugins, { newUuid, logger, keepMissing: faults.length > 0 });
  } finally {
    await store.close();
  }
}

function textOf(result: SyncResult): string {
  const changes = (['created', 'changed', 'removed'] as const).filter((change) => result[change].length > 0);
  if (changes.length === 0) return 'Goals, strategies and scoring engines are up to date.\n';
  return changes.map((change) => printable(`${change}: ${result[change].join(', ')}\n`, '\n')).join('');
}
