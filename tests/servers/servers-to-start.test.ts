import { describe, expect, it } from 'vitest';
import { serversToStart } from './servers-to-start.ts';
import { testServerNames } from './test-server.ts';
import { testServerUrl } from './test-server-url.ts';

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
      'alertmanager',
      'mariadbClient',
      'pythonClients',
      'helm',
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

it('a server that the test file does not declare is an error with the line to add', () => {
  expect(() => testServerUrl('memcached')).toThrow(
    /VIGIL_TEST_MEMCACHED_URL is not set.*"\/\/ @needs memcached" at its top/,
  );
});
