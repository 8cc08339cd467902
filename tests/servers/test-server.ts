import type { Logger } from '#libs/domain';

/** The environment variable that carries the URL of each test server, or the path of a program that tests run. */
export const testServerVariables = {
  postgres: 'VIGIL_TEST_POSTGRES_URL',
  rabbitmq: 'VIGIL_TEST_AMQP_URL',
  influxdb: 'VIGIL_TEST_INFLUX_URL',
  memcached: 'VIGIL_TEST_MEMCACHED_URL',
  prometheus: 'VIGIL_TEST_PROMETHEUS_URL',
  gnocchi: 'VIGIL_TEST_GNOCCHI_URL',
  mariadb: 'VIGIL_TEST_MARIADB_URL',
  chromium: 'VIGIL_TEST_CHROMIUM',
  systemd: 'VIGIL_TEST_SYSTEMD_ANALYZE',
  promtool: 'VIGIL_TEST_PROMTOOL',
  alertmanager: 'VIGIL_TEST_ALERTMANAGER',
  mariadbClient: 'VIGIL_TEST_MARIADB_CLIENT',
  pythonClients: 'VIGIL_TEST_PYTHON_CLIENTS',
  helm: 'VIGIL_TEST_HELM',
} as const;

export type TestServerName = keyof typeof testServerVariables;

export const testServerNames = Object.keys(testServerVariables) as TestServerName[];

/** A server that runs for the tests only. `stop` ends it and removes its state. */
export interface TestServer {
  /** Its URL. Of a program that tests start themselves its path. */
  url: string;
  stop(): Promise<void>;
}

export interface TestServerContext {
  /** Folder of unpacked Debian packages, readable by the user that the servers run as. */
  cacheDir: string;
  logger: Logger;
}
