import { createHistoryWriter } from '#libs/history/connect';
import { reportFatal, runService, type ServiceContext } from '#libs/service-kit';
import { type RecordedWorld, readRecordedWorld } from '#libs/world-file';
import { parseGenerateOptions, usageText, withFlags } from './arguments.ts';
import { simulatorEnv } from './env.ts';
import { createChangeDetector } from './notifications/change-detector.ts';
import { createPortChangeDetector } from './notifications/port-change-detector.ts';
import { startNotifier } from './notifications/start-notifier.ts';
import { createStorageChangeDetector } from './notifications/storage-change-detector.ts';
import { startSimulator } from './start-simulator.ts';
import { generateWorld } from './world/generate-world.ts';

/** Runs the simulated cloud until it is stopped. Flags override the environment. Returns the exit code. */
export async function run(args: string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usageText());
    return 0;
  }
  try {
    return await runService({ name: 'simulator', env: simulatorEnv, start }, withFlags(args, environment));
  } catch (error) {
    return reportFatal('simulator', error);
  }
}

type Context = ServiceContext<typeof simulatorEnv>;

async function start(context: Context): Promise<{ url: string }> {
  const { env, logger, clock, newUuid, teardown } = context;
  const { world, load } = await chooseWorld(env);
  const writer = chooseWriter(context);
  if (writer !== null) teardown.add('history', () => writer.close());
  const simulator = await teardown.start('simulated cloud', () =>
    startSimulator(
      { world, load, writer, clock, newUuid, logger },
      {
        host: env.VIGIL_SIMULATOR_HOST,
        port: env.VIGIL_SIMULATOR_PORT,
        speed: env.VIGIL_SIMULATOR_SPEED,
        seed: env.VIGIL_SIMULATOR_SEED,
        password: env.VIGIL_SIMULATOR_PASSWORD,
        playMode: env.VIGIL_SIMULATOR_LOAD,
        tokenSeconds: env.VIGIL_SIMULATOR_TOKEN_SECONDS,
        publicUrl: env.VIGIL_SIMULATOR_PUBLIC_URL,
        optimizerUrl: env.VIGIL_API_URL,
        extraMetrics: env.VIGIL_SIMULATOR_EXTRA_METRICS,
        sampleSeconds: env.VIGIL_SIMULATOR_SAMPLE_SECONDS,
        backFillMinutes: env.VIGIL_SIMULATOR_BACKFILL_MINUTES,
      },
    ),
  );
  if (env.VIGIL_SIMULATOR_AMQP_URL) {
    const { state } = simulator.simulation;
    const url = env.VIGIL_SIMULATOR_AMQP_URL;
    await teardown.start('notifications of Nova', () =>
      startNotifier(
        { changes: createChangeDetector(state), clock, newUuid, logger },
        { url, topic: env.VIGIL_SIMULATOR_NOTIFICATION_TOPIC, service: 'nova' },
      ),
    );
    await teardown.start('notifications of Cinder', () =>
      startNotifier(
        { changes: createStorageChangeDetector(state), clock, newUuid, logger },
        { url, topic: env.VIGIL_SIMULATOR_CINDER_TOPIC, service: 'cinder' },
      ),
    );
    await teardown.start('notifications of Neutron', () =>
      startNotifier(
        { changes: createPortChangeDetector(state), clock, newUuid, logger },
        { url, topic: env.VIGIL_SIMULATOR_NEUTRON_TOPIC, service: 'neutron' },
      ),
    );
  }
  const { servers, hosts } = simulator.simulation.state;
  logger.info(
    {
      world: world.name,
      hosts: hosts.size,
      servers: servers.size,
      authUrl: simulator.authUrl,
      history: writer !== null,
    },
    'simulated cloud ready',
  );
  return { url: simulator.url };
}

async function chooseWorld(env: Context['env']): Promise<RecordedWorld> {
  if (env.VIGIL_SIMULATOR_GENERATE !== undefined)
    return { world: generateWorld(parseGenerateOptions(env.VIGIL_SIMULATOR_GENERATE)), load: null };
  return readRecordedWorld(env.VIGIL_SIMULATOR_WORLD);
}

function chooseWriter({ env, logger, clock }: Context) {
  const { VIGIL_INFLUX_URL: influxUrl, VIGIL_DATABASE_URL: databaseUrl, VIGIL_INFLUX_TOKEN: influxToken } = env;
  if (influxUrl === undefined && databaseUrl === undefined) return null;
  return createHistoryWriter({ influxUrl, influxToken, databaseUrl, logger, clock });
}
