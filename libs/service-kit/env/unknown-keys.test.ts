import { expect, it } from 'vitest';
import { unknownKeys } from './unknown-keys.ts';

it('names keys that no process reads, with the nearest known key', () => {
  const environment = {
    VIGIL_DATABSE_URL: 'postgres://a',
    VIGIL_SOMETHING_QUITE_DIFFERENT: '1',
    VIGIL_AMQP_PREFIXES: '',
    PATH: '/bin',
    OS_AUTH_ULR: 'x',
  };
  expect(unknownKeys(environment)).toEqual([
    { key: 'VIGIL_AMQP_PREFIXES', nearest: 'VIGIL_AMQP_PREFIX' },
    { key: 'VIGIL_DATABSE_URL', nearest: 'VIGIL_DATABASE_URL' },
    { key: 'VIGIL_SOMETHING_QUITE_DIFFERENT', nearest: null },
  ]);
});

it('accepts the keys of every process, secrets in files, and those of tests and Kubernetes', () => {
  const environment = {
    VIGIL_PORT: '1',
    VIGIL_APPLIER_WORKERS: '1',
    VIGIL_PLUGINS: '',
    VIGIL_SIMULATOR_SEED: '1',
    VIGIL_TASKS_FILE: 'f',
    VIGIL_OPENSTACK_TIMEOUT_MS: '1',
    VIGIL_API_URL: 'http://a',
    VIGIL_DATABASE_URL_FILE: '/run/secrets/url',
    VIGIL_TEST_POSTGRES_URL: 'postgres://t',
    VIGIL_FUZZ_SEED: '1',
    VIGIL_API_SERVICE_HOST: '10.0.0.1',
    VIGIL_API_SERVICE_PORT_HTTP: '9322',
    VIGIL_API_PORT: 'tcp://10.0.0.1:9322',
    VIGIL_API_PORT_9322_TCP_ADDR: '10.0.0.1',
  };
  expect(unknownKeys(environment)).toEqual([]);
});
