import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withOwnVariables } from '#libs/config-file';
import { serviceTypes } from '#libs/processes';
import { announceStack, ownFolder, type ServiceContext, startPeriodic } from '#libs/service-kit';
import { createStore, type Store, upgradeSchema } from '#libs/store';
import { type SupervisedChild, startChild } from './children/supervised-child.ts';
import type { StackPorts } from './choose-ports.ts';
import { startDatabase } from './embedded-database.ts';
import type { supervisorEnv } from './env.ts';
import { readPluginSummary } from './plugin-summary.ts';
import type { Progress } from './progress.ts';
import { createRestartPermission } from './restart-permission.ts';

type Context = ServiceContext<typeof supervisorEnv>;

/** Longer than the time that a process has to end before it is killed. */
const stopLimitMs = 25_000;
/** Starting on a busy host takes minutes. Every 5 s a line lists the missing processes. */
const silenceLimitMs = 300_000;
/** Time for which a start can still be requested after `vigil up` was killed. */
const supervisionTtlMs = 15_000;

/** The children in start order, by their names in the service registry. */
const children = Object.values(serviceTypes);
/** The processes that `vigil up` has started, for the line with the log folder. */
export interface Stack {
  apiUrl: string;
  /** Keystone of the cloud. */
  authUrl: string;
  /** Credentials of the simulated cloud. Null for a real one. */
  simulated: { username: string; password: string } | null;
  /** Folder of the embedded database. Null for another database. */
  databaseFolder: string | null;
  /** Lines about the configured plugins. */
  plugins: string[];
}

/**
 * Starts everything in the order of dependency: database, schema, cloud, then the processes. Each part registers its
 * stop function, so they stop in reverse order.
 */
export async function composeStack(context: Context, ports: StackPorts, progress: Progress): Promise<Stack> {
  const dataDir = ownFolder(context.env.VIGIL_DATA_DIR, { mode: 0o755 });
  if (!context.env.VIGIL_DATABASE_URL) progress.step('starting the embedded database');
  const embedded = context.env.VIGIL_DATABASE_URL ? null : await startDatabase(context, join(dataDir, 'postgres'));
  const databaseUrl = context.env.VIGIL_DATABASE_URL ?? embedded?.url ?? '';
  progress.step('bringing the schema of the database up to date');
  await upgradeSchema(databaseUrl, { logger: context.logger });
  const store = await context.teardown.start('store', () =>
    createStore({ url: databaseUrl, logger: context.logger, applicationName: 'vigil-up', poolSize: 1 }),
  );
  const env: NodeJS.ProcessEnv = { ...process.env, VIGIL_DATABASE_URL: databaseUrl };
  const { hostId, logger } = context;
  const permissionOf = (name: string) => {
    const serviceName = children.find(({ command }) => command === name)?.serviceName ?? null;
    return createRestartPermission({ store, hostId, serviceName, logger });
  };
  const start = (name: string, more: NodeJS.ProcessEnv = {}) =>
    startSupervised(
      context,
      { dataDir, name, mayRestart: permissionOf(name) },
      withOwnVariables(process.env, { ...env, ...more }),
    );

  let simulator: SupervisedChild | null = null;
  if (!context.env.OS_AUTH_URL) {
    // The catalogue of the simulated Keystone lists the API before it runs.
    env.VIGIL_PORT = String(ports.api);
    env.VIGIL_SIMULATOR_PORT = String(ports.simulator);
    const apiUrl = `http://${context.env.VIGIL_HOST}:${ports.api}`;
    progress.step('starting the simulated cloud');
    simulator = await start('simulator', { VIGIL_API_URL: apiUrl });
    Object.assign(env, simulatedCredentials(simulator, context.env.VIGIL_SIMULATOR_PASSWORD));
  }
  const missing = children.map(({ command }) => command);
  progress.step(`starting ${listOf(missing)}`);
  const operatorEnv = simulator ? simulatedOperator : {};
  announce(context, dataDir, { env, operatorEnv });
  // Processes start concurrently and stop one by one in reverse order, so the API responds until the others have
  // ended.
  const [api] = await startAll(
    children.map(
      ({ command }) =>
        () =>
          start(command).then((child) => {
            missing.splice(missing.indexOf(command), 1);
            progress.note(`${command} is ready`, `starting ${listOf(missing)}`);
            return child;
          }),
    ),
  );
  announce(context, dataDir, { env: { ...env, VIGIL_API_URL: api!.url ?? '' }, operatorEnv });
  reportSupervision(context, store);
  return {
    apiUrl: api!.url ?? '',
    authUrl: env.OS_AUTH_URL ?? '',
    simulated: simulator
      ? { username: simulatedOperator.OS_USERNAME, password: context.env.VIGIL_SIMULATOR_PASSWORD }
      : null,
    databaseFolder: embedded?.home ?? null,
    plugins: await readPluginSummary(store, hostId),
  };
}

function listOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

/** Login for users. The processes have a separate user. */
const simulatedOperator = { OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin' };

/** Lets local commands find the running stack. */
function announce(
  { teardown }: Context,
  dataDir: string,
  reported: { env: NodeJS.ProcessEnv; operatorEnv: Record<string, string> },
): void {
  teardown.add('announcement', announceStack(dataDir, reported));
}

/** Declares in the registry that these processes can be started on request. */
function reportSupervision({ hostId, logger, teardown }: Context, store: Store): void {
  const names = children.map(({ serviceName }) => serviceName);
  const keeper = { name: 'vigil-up', ttlMs: supervisionTtlMs };
  const reporting = startPeriodic({
    name: 'supervision',
    everyMs: supervisionTtlMs / 3,
    logger,
    run: () => store.db.registry.supervise(hostId, names, keeper),
  });
  teardown.add('supervision', async () => {
    await reporting.stop();
    await store.db.registry.endSupervision(hostId, names);
  });
}

async function startSupervised(
  { logger, metrics, teardown }: Context,
  { dataDir, name, mayRestart }: { dataDir: string; name: string; mayRestart: () => Promise<boolean> },
  env: NodeJS.ProcessEnv,
): Promise<SupervisedChild> {
  const lost = metrics.counter('vigil_log_lines_lost_total', 'Log lines that could not be written');
  const starting = startChild({
    name,
    program: fileURLToPath(new URL('../vigil.js', import.meta.url)),
    env,
    logFile: join(dataDir, 'logs', `${name}.log`),
    silenceLimitMs,
    logger,
    mayRestart,
    onText: (line) => process.stderr.write(`${line}\n`),
    onLost: (lines) => lost.inc(lines),
  });
  // Registered before it is ready, so that processes stop in the reverse order of these calls.
  teardown.add(
    name,
    () =>
      starting.then(
        (child) => child.stop(),
        () => undefined,
      ),
    stopLimitMs,
  );
  const child = await starting;
  logger.debug({ child: name, url: child.url }, 'process ready');
  return child;
}

/**
 * Starts all processes concurrently. When one fails to start, the others are still registered before the error is
 * thrown.
 */
async function startAll(starts: (() => Promise<SupervisedChild>)[]): Promise<SupervisedChild[]> {
  const results = await Promise.allSettled(starts.map((start) => start()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function simulatedCredentials(simulator: SupervisedChild, password: string): NodeJS.ProcessEnv {
  return {
    OS_AUTH_URL: `${simulator.url}/identity/v3`,
    OS_USERNAME: 'vigil',
    OS_PASSWORD: password,
    OS_PROJECT_NAME: 'service',
    OS_USER_DOMAIN_NAME: 'Default',
    OS_PROJECT_DOMAIN_NAME: 'Default',
    OS_REGION_NAME: 'RegionOne',
    // Migrations of the accelerated cloud end within a second.
    VIGIL_MIGRATION_POLL_SECONDS: process.env.VIGIL_MIGRATION_POLL_SECONDS ?? '0.5',
  };
}
