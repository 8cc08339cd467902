import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, OperatorError } from '#libs/domain';
import { alertmanagerPackages, provideAlertmanager } from './alertmanager-program.ts';
import { chromiumPackages, provideChromium } from './chromium-program.ts';
import { clearLeftState } from './clear-left-state.ts';
import { type PackageSet, prepareDebianPackages } from './debian-packages.ts';
import { gnocchiPackages, startGnocchi } from './gnocchi-server.ts';
import { helmPackages, provideHelm } from './helm-program.ts';
import { influxdbPackages, startInfluxdb } from './influxdb-server.ts';
import { mariadbPackages, provideMariadbClient, startMariadb } from './mariadb-server.ts';
import { memcachedPackages, startMemcached } from './memcached-server.ts';
import { startPostgres } from './postgres-server.ts';
import { prometheusPackages, startPrometheus } from './prometheus-server.ts';
import { providePromtool } from './promtool-program.ts';
import { providePythonClients, pythonClientsPackages } from './python-clients-program.ts';
import { rabbitmqPackages, startRabbitmq } from './rabbitmq-server.ts';
import { serverUserCanReach } from './server-user.ts';
import { provideSystemdAnalyze, systemdPackages } from './systemd-analyze-program.ts';
import { type TestServer, type TestServerContext, type TestServerName, testServerVariables } from './test-server.ts';

const starters: Record<TestServerName, (context: TestServerContext) => Promise<TestServer>> = {
  postgres: startPostgres,
  rabbitmq: startRabbitmq,
  influxdb: startInfluxdb,
  memcached: startMemcached,
  prometheus: startPrometheus,
  gnocchi: startGnocchi,
  mariadb: startMariadb,
  chromium: provideChromium,
  systemd: provideSystemdAnalyze,
  promtool: providePromtool,
  alertmanager: provideAlertmanager,
  mariadbClient: provideMariadbClient,
  pythonClients: providePythonClients,
  helm: provideHelm,
};

/** Packages from Debian; PostgreSQL comes from npm. */
const packageSets: Partial<Record<TestServerName, PackageSet>> = {
  rabbitmq: rabbitmqPackages,
  influxdb: influxdbPackages,
  memcached: memcachedPackages,
  prometheus: prometheusPackages,
  gnocchi: gnocchiPackages,
  mariadb: mariadbPackages,
  chromium: chromiumPackages,
  systemd: systemdPackages,
  promtool: prometheusPackages,
  alertmanager: alertmanagerPackages,
  mariadbClient: mariadbPackages,
  pythonClients: pythonClientsPackages,
  helm: helmPackages,
};

export interface TestServers {
  /** Environment variables with the URLs of the servers that were started. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * A folder next to the project's other run-time state, or in the temporary directory when the server user cannot read
 * it. Programs are started from there. A folder that another user may have filled is refused.
 * @throws OperatorError
 */
export async function findCacheDir(): Promise<string> {
  const named = process.env.VIGIL_TEST_CACHE_DIR;
  if (named !== undefined && named !== '') {
    if (await serverUserCanReach(named)) return named;
    throw new OperatorError(
      `VIGIL_TEST_CACHE_DIR: the test servers run as an unprivileged user who cannot look into ${named}; name a folder ` +
        'whose parents others may pass (mode 0755), or unset it',
    );
  }
  const local = join(projectRoot(), '.vigil', 'test-servers');
  if (await serverUserCanReach(local)) return local;
  const shared = join(tmpdir(), `vigil-test-servers-${process.getuid?.() ?? 0}`);
  await mkdir(shared, { recursive: true, mode: 0o755 });
  const { uid, mode } = await lstat(shared);
  if (uid === process.getuid?.() && (mode & 0o170022) === 0o040000) return shared;
  throw new OperatorError(
    `${shared} belongs to somebody else or others may write to it: remove it, or name a folder in VIGIL_TEST_CACHE_DIR`,
  );
}

function projectRoot(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const compiled = here.lastIndexOf(join('/', 'dist', 'tests'));
  return compiled >= 0 ? here.slice(0, compiled) : join(here, '..', '..');
}

/**
 * Starts the named servers in parallel, after removing the remains of killed runs. When one fails, the others stop.
 * @throws OperatorError that names the missing server and the remedy
 */
export async function startTestServers(names: readonly TestServerName[], logger: Logger): Promise<TestServers> {
  clearLeftState();
  const context = { cacheDir: await findCacheDir(), logger };
  const sets = names.flatMap((name) => packageSets[name] ?? []);
  await prepareDebianPackages(context.cacheDir, sets);
  const results = await Promise.allSettled(names.map((name) => startOne(name, context)));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  async function stop(): Promise<void> {
    await Promise.all(started.map(({ server }) => server.stop()));
  }
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    variables: Object.fromEntries(started.map(({ name, server }) => [testServerVariables[name], server.url])),
    stop,
  };
}

/** Another test run may have taken the free port in between: one retry settles that. */
async function startOne(name: TestServerName, context: TestServerContext) {
  const start = () => starters[name](context);
  const server = await start().catch((error) => {
    context.logger.warn({ server: name, error: String(error) }, 'test server did not start, trying once more');
    return start();
  });
  return { name, server };
}
