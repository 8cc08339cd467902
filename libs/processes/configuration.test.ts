import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { commonEnv, parseEnv } from '#libs/service-kit/env';
import { configurationHash, configurationSchema, shownConfiguration } from './configuration.ts';

const given = { VIGIL_DATABASE_URL: 'postgres://vigil:hidden@db/vigil', VIGIL_GATE_TRIES: '3' };
const read = (env: NodeJS.ProcessEnv) => parseEnv(commonEnv, env);

test('a configuration is shown without its secrets', () => {
  const shown = shownConfiguration(commonEnv, read(given));
  expect(shown).toMatchObject({ VIGIL_DATABASE_URL: '[set]', VIGIL_GATE_TRIES: 3, VIGIL_LOG_LEVEL: 'info' });
  expect(shown).not.toHaveProperty('VIGIL_AMQP_URL');
  expect(JSON.stringify(shown)).not.toContain('hidden');
});

test('a URL that is not a secret is shown without the credentials in it', () => {
  const key = { VIGIL_MEMCACHED_URL: { ...commonEnv.VIGIL_LOG_LEVEL, secret: false } };
  const shown = shownConfiguration(key, { VIGIL_MEMCACHED_URL: 'memcached://me:hunter2@cache:11211' });
  expect(shown).toEqual({ VIGIL_MEMCACHED_URL: 'memcached://[set]@cache:11211' });
});

test('every change of it shows in its digest, but not of a secret, which could be guessed from it', () => {
  const digest = (env: NodeJS.ProcessEnv) => configurationHash(commonEnv, read(env));
  expect(digest({ ...given })).toBe(digest({ VIGIL_GATE_TRIES: '3', VIGIL_DATABASE_URL: given.VIGIL_DATABASE_URL }));
  expect(digest({ ...given, VIGIL_DATABASE_URL: 'postgres://vigil:other@db/vigil' })).toBe(digest(given));
  expect(digest({ VIGIL_GATE_TRIES: '3' })).not.toBe(digest(given));
  expect(digest({ ...given, VIGIL_GATE_TRIES: '4' })).not.toBe(digest(given));
});

test('the schema of a service type accepts only the settings of its process', () => {
  const validate = new Ajv2020({ strict: false }).compile(configurationSchema(commonEnv));
  const values = JSON.parse(JSON.stringify(read(given))) as Record<string, unknown>;
  validate(values);
  expect(validate.errors ?? []).toEqual([]);
  for (const wrong of [{ VIGIL_GATE_TRIES: 0 }, { VIGIL_LOG_LEVEL: 'loud' }, { VIGIL_UNKNOWN: 'x' }])
    expect(validate({ ...values, ...wrong }), JSON.stringify(wrong)).toBe(false);
  const { properties } = configurationSchema(commonEnv) as { properties: Record<string, { writeOnly?: boolean }> };
  expect(properties.VIGIL_DATABASE_URL?.writeOnly).toBe(true);
  expect(properties.VIGIL_LOG_LEVEL?.writeOnly).toBeUndefined();
});
