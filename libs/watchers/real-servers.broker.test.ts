import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { amqpUrlsOf } from '#libs/messaging/amqp';
import { createRandom, newUuid, systemClock } from '#libs/service-kit';
import { createTcpProxy, createTestDatabase, silentLogger, type TestDatabase, testServerUrl } from '#libs/testing';
import { createDependencies, type DependencySources } from './create-dependencies.ts';
import { isAway } from './is-away.ts';
import { knownHostsOf, readKnownEndpoints, writeKnownEndpoints } from './known-endpoints.ts';
import { probeDependency } from './probe-dependency.ts';
import type { DependencyName } from './required-by-target.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function probe(name: DependencyName, sources: Partial<DependencySources>) {
  const nothing = { amqpUrls: [], amqpPrefix: `probe-${randomUUID()}`, cloud: null, probeHistory: null, memcached: [] };
  const deps = { logger: silentLogger, clock: systemClock, random: createRandom(1), newUuid };
  const watched = createDependencies('all', { databaseUrl: database.url, ...nothing, ...sources }, [], deps);
  const dependency = watched.dependencies.find((each) => each.name === name);
  if (!dependency) throw new Error(`${name} is not watched`);
  return probeDependency({ ...dependency, timeoutMs: Math.min(dependency.timeoutMs, 1500) });
}

const outcome = async (probed: ReturnType<typeof probe>) => {
  const { report, errors } = await probed;
  return { up: report.up, reason: report.nodes[0]?.reason ?? '', away: isAway(errors[0]), nodes: report.nodes };
};

it('PostgreSQL: used, refused, hung, read-only, of another schema, with a wrong password', async () => {
  const url = new URL(database.url);
  const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
  const through = new URL(url);
  through.host = `127.0.0.1:${proxy.port}`;
  expect(await outcome(probe('postgresql', { databaseUrl: through.href }))).toMatchObject({ up: true });
  proxy.freeze();
  expect(await outcome(probe('postgresql', { databaseUrl: through.href }))).toMatchObject({ up: false, away: true });
  proxy.resume();
  await proxy.refuse();
  expect(await outcome(probe('postgresql', { databaseUrl: through.href }))).toMatchObject({ up: false, away: true });
  const wrong = new URL(url);
  wrong.password = 'wrong';
  expect(await outcome(probe('postgresql', { databaseUrl: wrong.href }))).toMatchObject({ up: false, away: false });
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  expect(await outcome(probe('postgresql', { databaseUrl: readOnly.href }))).toMatchObject({
    up: false,
    away: true,
    nodes: [{ readable: true }],
  });
  const empty = await createTestDatabase({ migrated: false });
  const found = await outcome(probe('postgresql', { databaseUrl: empty.url }));
  expect(found).toMatchObject({ up: false, away: false });
  expect(found.reason).toMatch(/vigil db upgrade/);
  await empty.drop();
});

it('PostgreSQL: one of several servers is enough; each is named without its password', async () => {
  const { host } = new URL(database.url);
  const found = await probe('postgresql', { databaseUrl: database.url.replace(host, `127.0.0.1:1,${host}`) });
  expect(found.report.up).toBe(true);
  expect(found.report.nodes.map(({ up }) => up)).toEqual([false, true]);
  expect(JSON.stringify(found.report)).not.toContain('@');
});

it('RabbitMQ: every node is used and named; a wrong password is no outage', async () => {
  const url = testServerUrl('rabbitmq');
  const found = await probe('rabbitmq', { amqpUrls: amqpUrlsOf(url, ['127.0.0.1:1']) });
  expect(found.report.up).toBe(true);
  expect(found.report.nodes.map(({ up }) => up)).toEqual([true, false]);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  expect(await outcome(probe('rabbitmq', { amqpUrls: [wrong.href] }))).toMatchObject({ up: false, away: false });
  expect(() => amqpUrlsOf(url, ['host/with:path'])).toThrow(/VIGIL_AMQP_NODES/);
});

it('memcached: used, and refused', async () => {
  const { host } = new URL(testServerUrl('memcached').replace('memcached:', 'http:'));
  expect(await outcome(probe('memcached', { memcached: [host] }))).toMatchObject({ up: true });
  expect(await outcome(probe('memcached', { memcached: ['127.0.0.1:1'] }))).toMatchObject({ up: false, away: true });
});

it('remembered database servers count only beside one that is configured', () => {
  const known = ['a:5432', 'b:5432'];
  expect(knownHostsOf('postgres://u@a/vigil', known)).toEqual(known);
  expect(knownHostsOf('postgres://u@c,b/vigil', known)).toEqual(known);
  expect(knownHostsOf('postgres://u@new/vigil', known)).toEqual([]);
});

it('known endpoints survive a write; a damaged file counts as none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-known-'));
  const path = join(folder, 'deep', 'endpoints.json');
  await writeKnownEndpoints(path, { rabbitmq: ['a:5672'] });
  await writeKnownEndpoints(path, { rabbitmq: ['a:5672', 'b:5672'] });
  expect(await readKnownEndpoints(path)).toEqual({ rabbitmq: ['a:5672', 'b:5672'] });
  expect(readFileSync(path, 'utf8')).toMatch(/\n$/);
  writeFileSync(path, '{"rabbitmq":');
  expect(await readKnownEndpoints(path)).toEqual({});
  rmSync(folder, { recursive: true });
});
