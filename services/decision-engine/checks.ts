import { gateCheck } from '#libs/dependencies';
import { connectDataSources, dataSourceSettings, dataSourcesEnv } from '#libs/history/connect';
import { openStackConfigFromEnv } from '#libs/openstack';
import { parseWeighting } from '#libs/planners';
import { loadConfiguredPlugins, migrationNetworksCheck } from '#libs/plugin-kit';
import { createLogger, findOtherWriterWithin, systemClock } from '#libs/service-kit';
import { type ConfigurationCheck, type commonEnv, databaseIsNamed, type EnvValues } from '#libs/service-kit/env';
import { builtInPlugins } from './built-in-plugins.ts';
import { parseCells } from './collectors/cells.ts';
import type { decisionEngineEnv } from './env.ts';

type Schema = typeof decisionEngineEnv & typeof commonEnv;

/** Checks of an engine's configuration that take several keys together. */
export const decisionEngineChecks: readonly ConfigurationCheck<Schema>[] = [
  databaseIsNamed,
  { reads: [], check: (_values, environment) => openStackConfigFromEnv(environment) },
  gateCheck('engine'),
  migrationNetworksCheck,
  { reads: ['VIGIL_NOVA_CELLS'], check: (values) => parseCells(values.VIGIL_NOVA_CELLS) },
  {
    reads: ['VIGIL_WEIGHT_PLANNER_WEIGHTS', 'VIGIL_WEIGHT_PLANNER_PARALLELIZATION'],
    check: weightingOf,
  },
  { reads: Object.keys(dataSourcesEnv) as (keyof typeof dataSourcesEnv)[], check: checkDataSources },
  {
    reads: ['VIGIL_PLUGINS', 'VIGIL_PLUGINS_STRICT'],
    check: async (values) => {
      const options = { strict: true, verify: true, findOtherWriter: findOtherWriterWithin };
      if (values.VIGIL_PLUGINS_STRICT) await loadConfiguredPlugins(values.VIGIL_PLUGINS, builtInPlugins(), options);
    },
  },
];

/** Differences of planner `weight` from its defaults. */
export function weightingOf(
  env: Pick<EnvValues<Schema>, 'VIGIL_WEIGHT_PLANNER_WEIGHTS' | 'VIGIL_WEIGHT_PLANNER_PARALLELIZATION'>,
): ReturnType<typeof parseWeighting> {
  return parseWeighting({
    weights: { key: 'VIGIL_WEIGHT_PLANNER_WEIGHTS', entries: env.VIGIL_WEIGHT_PLANNER_WEIGHTS },
    parallelization: {
      key: 'VIGIL_WEIGHT_PLANNER_PARALLELIZATION',
      entries: env.VIGIL_WEIGHT_PLANNER_PARALLELIZATION,
    },
  });
}

/** Opens the data sources as the process does, except those of plugins. It sends no request to them. */
async function checkDataSources(values: EnvValues<Schema>): Promise<void> {
  const notUsed = async () => Promise.reject(new Error('a check sends no request to Keystone'));
  // That the database has to be named is its own check.
  const settings = dataSourceSettings({ ...values, VIGIL_DATABASE_URL: values.VIGIL_DATABASE_URL ?? 'postgres://' });
  const sources = connectDataSources(settings, {
    keystone: { token: notUsed, endpoint: notUsed },
    logger: createLogger({ service: 'decision-engine', level: 'error', pretty: false }),
    clock: systemClock,
    ...(values.VIGIL_PLUGINS?.length > 0 ? { absentBecause: 'it belongs to a plugin' } : {}),
  });
  await sources.close();
}
