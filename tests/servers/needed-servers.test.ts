import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { neededServers, serversToStart } from './needed-servers.ts';
import { testServerNames } from './test-server.ts';
import { testServerUrl } from './test-server-url.ts';

describe('the servers a run needs', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigil-needed-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['plain.test.ts', 'expect(1).toBe(1)', []],
    ['rows.db.test.ts', '', ['postgres']],
    ['queue.broker.test.ts', '', ['postgres', 'rabbitmq']],
    ['page.e2e.test.ts', '', ['postgres', 'chromium']],
    ['loop.system.test.ts', '', ['postgres', 'rabbitmq', 'influxdb', 'memcached']],
    ['matrix.outages.test.ts', '', ['postgres', 'rabbitmq', 'influxdb']],
    ['helper.test.ts', 'await createTest' + 'Database()', ['postgres']],
    ['rates.test.ts', "testServerUrl('" + "prometheus')", ['prometheus']],
    ['granules.test.ts', 'process.env.VIGIL_TEST_' + 'GNOCCHI_URL', ['gnocchi']],
    ['units.test.ts', "testServerUrl('" + "systemd')", ['systemd']],
    ['alerts.test.ts', "testServerUrl('" + "promtool')", ['promtool']],
    ['import.test.ts', "testServerUrl('" + "mariadb')", ['mariadb']],
    ['dump.test.ts', "testServerUrl('" + "mariadbClient')", ['mariadbClient']],
    ['series.test.ts', "import './influx" + "db/index.ts'", ['influxdb']],
  ])('%s', async (name, text, servers) => {
    const file = join(folder, name);
    await writeFile(file, text);
    expect(await neededServers([file])).toEqual(servers);
  });

  it('are those of all selected files together', async () => {
    const files = [join(folder, 'a.db.test.ts'), join(folder, 'b.broker.test.ts')];
    for (const file of files) await writeFile(file, '');
    expect(await neededServers(files)).toEqual(['postgres', 'rabbitmq']);
    expect(await neededServers([])).toEqual([]);
  });
});

describe('the servers to start', () => {
  it('are not those whose URL is given', () => {
    expect(serversToStart(testServerNames, { VIGIL_TEST_AMQP_URL: 'amqp://h' })).toEqual([
      'postgres',
      'influxdb',
      'memcached',
      'prometheus',
      'gnocchi',
      'mariadb',
      'chromium',
      'systemd',
      'promtool',
      'mariadbClient',
    ]);
  });

  it('are only those that VIGIL_TEST_SERVERS lists', () => {
    const env = { VIGIL_TEST_SERVERS: 'rabbitmq, postgres' };
    expect(serversToStart(testServerNames, env)).toEqual(['postgres', 'rabbitmq']);
    expect(serversToStart(['influxdb'], env)).toEqual([]);
    expect(serversToStart(testServerNames, { VIGIL_TEST_SERVERS: '' })).toEqual([]);
    expect(() => serversToStart(testServerNames, { VIGIL_TEST_SERVERS: 'postgress' })).toThrow(
      /VIGIL_TEST_SERVERS: there is no server postgress/,
    );
  });
});

it('a missing URL says what to do', () => {
  const before = process.env.VIGIL_TEST_MEMCACHED_URL;
  delete process.env.VIGIL_TEST_MEMCACHED_URL;
  expect(() => testServerUrl('memcached')).toThrow(/VIGIL_TEST_MEMCACHED_URL is not set\./);
  if (before !== undefined) process.env.VIGIL_TEST_MEMCACHED_URL = before;
});
