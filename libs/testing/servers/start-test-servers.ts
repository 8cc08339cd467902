import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, OperatorError } from '#libs/domain';
import { startGnocchi } from './gnocchi-server.ts';
import { startInfluxdb } from './influxdb-server.ts';
import { startMemcached } from './memcached-server.ts';
import { startPostgres } from './postgres-server.ts';
import { startPrometheus } from './prometheus-server.ts';
import { startRabbitmq } from './rabbitmq-server.ts';
import { serverUserCanReach } from './server-user.ts';
import { type TestServer, type TestServerContext, type TestServerName, testServerVariables } from './test-server.ts';

const starters: Record<TestServerName, (context: TestServerContext) => Promise<TestServer>> = {
  postgres: startPostgres,
  rabbitmq: startRabbitmq,
  influxdb: startInfluxdb,
  memcached: startMemcached,
  prometheus: startPrometheus,
  gnocchi: startGnocchi,
};

export interface TestServers {
  /** Environment variables with the URLs of the servers that were started. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

/** Of unpacked packages: next to the project's other run-time state, or in the temporary folder when the server user cannot look in there. */
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
  return (await serverUserCanReach(local)) ? local : join(tmpdir(), 'vigil-test-servers');
}

function projectRoot(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const compiled = here.lastIndexOf(join('/', 'dist', 'libs'));
  return compiled >= 0 ? here.slice(0, compiled) : join(here, '..', '..', '..');
}

/**
 * Starts the named servers side by side. When one fails the others are stopped again.
 * @throws OperatorError that says which server is missing and what to do.
 */
export async function startTestServers(names: readonly TestServerName[], logger: Logger): Promise<TestServers> {
  const context = { cacheDir: await findCacheDir(), logger };
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

/** A port that was free may be taken by another test run a moment later: one more try settles that. */
async function startOne(name: TestServerName, context: TestServerContext) {
  const start = () => starters[name](context);
  const server = await start().catch((error) => {
    context.logger.warn({ server: name, error: String(error) }, 'test server did not start, trying once more');
    return start();
  });
  return { name, server };
}
