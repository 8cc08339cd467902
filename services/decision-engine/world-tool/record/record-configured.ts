import { resolve } from 'node:path';
import { connectDataSources, dataSourceSettings, dataSourcesEnv } from '#libs/history/connect';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { createPluginRegistry, loadConfiguredPlugins } from '#libs/plugin-kit';
import { createLogger, findOtherWriterWithin, systemClock } from '#libs/service-kit';
import { commonEnv, parseEnv, requireDatabaseUrl } from '#libs/service-kit/env';
import { parseCells } from '../../collectors/cells.ts';
import { createPortReader } from '../../collectors/port-reader.ts';
import { createShareReader } from '../../collectors/share-reader.ts';
import { decisionEngineEnv } from '../../env.ts';
import { readOrCreateKey } from './key-file.ts';
import { type Recording, type RecordOptions, recordWorld } from './record-world.ts';

interface Options extends Pick<RecordOptions, 'days' | 'onProgress'> {
  /** Path of the key. Null: not anonymised. */
  keyFile: string | null;
  /** Called with the path of a key that was created. */
  onKey(path: string): void;
}

/** The settings for reading a cloud, as in the decision engine. */
const recordEnv = {
  ...dataSourcesEnv,
  ...commonEnv,
  VIGIL_PLUGINS: decisionEngineEnv.VIGIL_PLUGINS,
  VIGIL_NOVA_CELLS: decisionEngineEnv.VIGIL_NOVA_CELLS,
  VIGIL_HOST_BOUND_POOLS: decisionEngineEnv.VIGIL_HOST_BOUND_POOLS,
  VIGIL_COLLECTOR_CONCURRENCY: decisionEngineEnv.VIGIL_COLLECTOR_CONCURRENCY,
};

/**
 * Records the cloud and the history that the environment configures.
 * @returns the recording, and the path of the key of its pseudonyms
 * @throws ConfigurationError, OperatorError for the key, and the errors of `recordWorld`
 */
export async function recordConfigured(
  environment: NodeJS.ProcessEnv,
  { days, keyFile, onProgress, onKey }: Options,
): Promise<{ recording: Recording; keyPath: string | null }> {
  const env = parseEnv(recordEnv, environment);
  const logger = createLogger({ service: 'world', level: 'error', pretty: true });
  const clock = systemClock;
  const settings = dataSourceSettings({ ...env, VIGIL_DATABASE_URL: requireDatabaseUrl(env) });
  const cloudConfig = openStackConfigFromEnv(environment);
  const { registry, faults } = await loadConfiguredPlugins(env.VIGIL_PLUGINS, createPluginRegistry(), {
    strict: false,
    verify: false,
    findOtherWriter: findOtherWriterWithin,
  });
  const keyPath = keyFile === null ? null : resolve(keyFile);
  const key = keyPath === null ? null : await readOrCreateKey(keyPath);
  if (keyPath !== null && key?.isNew) onKey(keyPath);
  const cloud = createOpenStackCloud(cloudConfig, { logger, clock });
  const history = connectDataSources(settings, {
    ...{ keystone: cloud.identity, logger, clock, plugins: registry.dataSources(), env: environment },
    absentBecause: [
      'no plugin of VIGIL_PLUGINS has it',
      ...faults.map(({ plugin, reason }) => `${plugin}: ${reason}`),
    ].join('; '),
  });
  const concurrency = env.VIGIL_COLLECTOR_CONCURRENCY;
  const once = { clock, maxAgeMs: 0 };
  try {
    const recording = await recordWorld(
      { cloud, history, clock },
      {
        ...{ days, key: key?.key ?? null, onProgress },
        collector: {
          concurrency,
          cellOf: parseCells(env.VIGIL_NOVA_CELLS),
          hostBoundPools: env.VIGIL_HOST_BOUND_POOLS,
          shares: createShareReader({ ...once, concurrency, maxAgeMs: 3_600_000 }),
          ports: createPortReader(once),
        },
      },
    );
    return { recording, keyPath };
  } finally {
    await history.close();
    await cloud.close();
  }
}
