import { readFile } from 'node:fs/promises';
import { InvalidInputError } from '#libs/domain';
import { type TestServerName, testServerNames, testServerVariables } from './test-server.ts';

/** Marks in the name or text of a test file that tell that it needs the server. */
const signs: Record<TestServerName, RegExp> = {
  postgres:
    /\.(db|broker|system|clients|e2e|outages)\.test\.ts$|createTestDatabase|VIGIL_TEST_POSTGRES_URL|testServerUrl\('postgres/m,
  rabbitmq: /\.(broker|system|outages)\.test\.ts$|VIGIL_TEST_AMQP_URL|testServerUrl\('rabbitmq/m,
  influxdb: /\.(system|outages)\.test\.ts$|influx/im,
  memcached: /\.system\.test\.ts$|memcached/im,
  prometheus: /VIGIL_TEST_PROMETHEUS_URL|openPrometheusStore|testServerUrl\('prometheus/m,
  gnocchi: /VIGIL_TEST_GNOCCHI_URL|openGnocchiStore|testServerUrl\('gnocchi/m,
  mariadb: /VIGIL_TEST_MARIADB_URL|testServerUrl\('mariadb'/m,
  chromium: /\.e2e\.test\.ts$|testServerUrl\('chromium/m,
  systemd: /testServerUrl\('systemd/m,
  promtool: /testServerUrl\('promtool/m,
  mariadbClient: /testServerUrl\('mariadbClient'/m,
};

/** The servers that a run of these test files needs. */
export async function neededServers(testFiles: readonly string[]): Promise<TestServerName[]> {
  const texts = await Promise.all(testFiles.map(async (file) => `${file}\n${await readFile(file, 'utf8')}`));
  return testServerNames.filter((name) => texts.some((text) => signs[name].test(text)));
}

/**
 * Of `names`, those that this run has to start: not the ones whose URL is given already, and only those listed in
 * VIGIL_TEST_SERVERS (comma-separated) when that is set.
 * @throws InvalidInputError when VIGIL_TEST_SERVERS names a server that does not exist.
 */
export function serversToStart(names: readonly TestServerName[], env: NodeJS.ProcessEnv): TestServerName[] {
  const allowed = env.VIGIL_TEST_SERVERS?.split(',').map((name) => name.trim());
  for (const name of allowed ?? []) {
    if (name !== '' && !testServerNames.some((known) => known === name)) {
      throw new InvalidInputError(
        'VIGIL_TEST_SERVERS',
        `there is no server ${name}; known: ${testServerNames.join(', ')}`,
      );
    }
  }
  return names.filter((name) => !env[testServerVariables[name]] && (allowed === undefined || allowed.includes(name)));
}
