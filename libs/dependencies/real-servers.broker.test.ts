// @needs memcached
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom, silentLogger } from '#libs/domain';
import { amqpUrlsOf } from '#libs/messaging/amqp';
import { newUuid, systemClock } from '#libs/service-kit';
import { createTcpProxy, createTestDatabase, testServerUrl, useDatabase } from '#tests';
import { createDependencies, type DependencySources } from './create-dependencies.ts';
import { isOutage } from './is-outage.ts';
import { knownHostsOf, readKnownEndpoints, writeKnownEndpoints } from './known-endpoints.ts';
import { probeDependency } from './probe-dependency.ts';
import type { DependencyName } from './required-by-target.ts';

const { url: databaseUrl } = await useDatabase();

async function probe(name: DependencyName, sources: Partial<DependencySources>) {
  const nothing = { amqpUrls: [], amqpPrefix: `probe-${randomUUID()}`, cloud: null, probeHistory: null, memcached: [] };
  const deps = { logger: silentLogger, clock: systemClock, random: createRandom(1), newUuid };
  const watched = createDependencies('all', { databaseUrl, ...nothing, ...sources }, [], deps);
  const dependency = watched.dependencies.find((each) => each.name === name);
  if (!dependency) throw new Error(`${name} is not watched`);
  return probeDependency({ ...dependency, timeoutMs: Math.min(dependency.timeoutMs, 1500) });
}

/** To be compared with the expected state. Queries again, because on a busy machine any server may once be late. */
const outcome = (...requested: Parameters<typeof probe>) =>
  expect.poll(async () => {
    const { report, errors } = await probe(...requested);
    return { up: report.up, reason: report.nodes[0]?.reason ?? '', away: isOutage(errors[0]), nodes: report.nodes };
  });

it('PostgreSQL: used, refused, hung, read-only, of another schema, with a wrong password', async () => {
  const url = new URL(databaseUrl);
  const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
  const through = new URL(url);
  through.host = `127.0.0.1:${proxy.port}`;
  await outcome('postgresql', { databaseUrl: through.href }).toMatchObject({ up: true });
  proxy.freeze();
  await outcome('postgresql', { databaseUrl: through.href }).toMatchObject({ up: false, away: true });
  proxy.resume();
  await proxy.refuse();
  await outcome('postgresql', { databaseUrl: through.href }).toMatchObject({ up: false, away: true });
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await outcome('postgresql', { databaseUrl: wrong.href }).toMatchObject({ up: false, away: false });
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  await outcome('postgresql', { databaseUrl: readOnly.href }).toMatchObject({
    up: false,
    away: true,
    nodes: [{ readable: true }],
  });
  const empty = await createTestDatabase({ migrated: false });
  await outcome('postgresql', { databaseUrl: empty.url }).toMatchObject({
    up: false,
    away: false,
    reason: expect.stringMatching(/vigil db upgrade/),
  });
  await empty.drop();
});

it('PostgreSQL: one of several servers is enough; each is named without its password', async () => {
  const { host } = new URL(databaseUrl);
  const sources = { databaseUrl: databaseUrl.replace(host, `127.0.0.1:1,${host}`) };
  await outcome('postgresql', sources).toMatchObject({ up: true, nodes: [{ up: false }, { up: true }] });
  expect(JSON.stringify((await probe('postgresql', sources)).report)).not.toContain('@');
});

it('RabbitMQ: every node is used and named; a wrong password is not an outage', async () => {
  const url = testServerUrl('rabbitmq');
  const amqpUrls = amqpUrlsOf(url, ['127.0.0.1:1']);
  await outcome('rabbitmq', { amqpUrls }).toMatchObject({ up: true, nodes: [{ up: true }, { up: false }] });
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await outcome('rabbitmq', { amqpUrls: [wrong.href] }).toMatchObject({ up: false, away: false });
  expect(() => amqpUrlsOf(url, ['host/with:path'])).toThrow(/VIGIL_AMQP_NODES/);
});

it('memcached: used, and refused', async () => {
  const { host } = new URL(testServerUrl('memcached').replace('memcached:', 'http:'));
  await outcome('memcached', { memcached: [host] }).toMatchObject({ up: true });
  await outcome('memcached', { memcached: ['127.0.0.1:1'] }).toMatchObject({ up: false, away: true });
});

it('remembered database servers count only in addition to a configured one', () => {
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
