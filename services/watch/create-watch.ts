import { createConfiguredWatch, type DependencyWatch, type WatchContext, type WatchTarget } from '#libs/dependencies';
import { connectDataSources, dataSourceSettings, dataSourcesEnv } from '#libs/history/connect';
import { createOpenStackCloud, type OpenStackConfig, openStackConfigFromEnv } from '#libs/openstack';
import { createLogger, createMetrics, createTeardown, newUuid, systemClock, type Teardown } from '#libs/service-kit';
import {
  choice,
  commonEnv,
  type EnvValues,
  parseEnv,
  requireDatabaseUrl,
  url,
  warnOfUnknownKeys,
} from '#libs/service-kit/env';

/** Configuration of `vigil watch`: that of the watched processes. */
const watchEnv = {
  ...dataSourcesEnv,
  VIGIL_AUTH: choice({
    words: ['keystone', 'none'],
    default: 'keystone',
    description: 'As that of the API: with `none` it does without Keystone.',
  }),
  VIGIL_MEMCACHED_URL: url({
    schemes: ['memcached:'],
    description: 'As that of the API. It is probed for the API, which works without it while it is unavailable.',
  }),
} as const;

type Env = EnvValues<typeof watchEnv & typeof commonEnv>;

/** Input of `vigil watch`. */
export interface Watch {
  watch: DependencyWatch;
  teardown: Teardown;
}

/**
 * The watch of a target, from the environment of its processes.
 * @throws ConfigurationError when that is incomplete
 */
export async function createWatch(target: WatchTarget, environment: NodeJS.ProcessEnv): Promise<Watch> {
  const env: Env = parseEnv({ ...watchEnv, ...commonEnv }, environment);
  const databaseUrl = requireDatabaseUrl(env);
  const logger = createLogger({ service: 'watch', level: env.VIGIL_LOG_LEVEL, pretty: env.VIGIL_LOG_PRETTY });
  warnOfUnknownKeys(environment, logger);
  const teardown = createTeardown(logger);
  const metrics = createMetrics('watch');
  const context: WatchContext = { env, logger, metrics, clock: systemClock, newUuid, teardown };
  const cloud = cloudOf(target, env, environment);
  const probeHistory = needsHistory(target) && cloud ? await historyProbe(context, env, databaseUrl, cloud) : undefined;
  const memcached = env.VIGIL_MEMCACHED_URL ? [new URL(env.VIGIL_MEMCACHED_URL).host] : [];
  const options = { databaseUrl, cloud, probeHistory, memcached };
  const { watch } = await createConfiguredWatch(target, context, options);
  return { watch, teardown };
}

function cloudOf(target: WatchTarget, env: Env, environment: NodeJS.ProcessEnv): OpenStackConfig | null {
  if (target === 'scheduler' || (target === 'api' && env.VIGIL_AUTH === 'none')) return null;
  return openStackConfigFromEnv(environment);
}

function needsHistory(target: WatchTarget): boolean {
  return target === 'engine' || target === 'all';
}

async function historyProbe(
  { logger, clock, teardown }: WatchContext,
  env: Env,
  databaseUrl: string,
  config: OpenStackConfig,
): Promise<() => Promise<void>> {
  const cloud = await teardown.start('cloud', () => createOpenStackCloud(config, { logger, clock }));
  const settings = dataSourceSettings({ ...env, VIGIL_DATABASE_URL: databaseUrl });
  const history = await teardown.start('history', () =>
    connectDataSources(settings, {
      keystone: cloud.identity,
      logger,
      clock,
      absentBecause: 'it belongs to a plugin, which only the decision engine loads',
    }),
  );
  return history.probe;
}
