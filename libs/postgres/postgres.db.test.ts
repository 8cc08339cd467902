import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '#libs/service-kit';
import {
  createTcpProxy,
  silentLogger as logger,
  type PostgresPair,
  startPostgresPair,
  type TcpProxy,
  testServerUrl,
} from '#libs/testing';
import { connectClient } from './connect-client.ts';
import { poolSettings } from './pool-settings.ts';
import { addPostgresHosts, describePostgresUrl, postgresUrlsOf } from './postgres-url.ts';
import { limitSilence } from './silence-limit.ts';

const client = { logger, applicationName: 'test', connectTimeoutMs: 1000 };

describe('URLs', () => {
  it('have a server each', () => {
    expect(postgresUrlsOf('postgres://u:p%40@a:1,b/db?sslmode=require')).toEqual([
      'postgres://u:p%40@a:1/db?sslmode=require',
      'postgres://u:p%40@b/db?sslmode=require',
    ]);
    expect(postgresUrlsOf('postgres://a/db')).toEqual(['postgres://a/db']);
    for (const wrong of ['mysql://a/db', 'postgres://a:x/db', 'a,b']) expect(postgresUrlsOf(wrong)).toBeNull();
  });

  it('are told without user and password, and take further servers once', () => {
    expect(describePostgresUrl('postgres://u:secret@a:1,b/db')).toBe('a:1,b:5432/db');
    const more = addPostgresHosts('postgres://u:secret@a:1/db?x=1', ['a:1', 'c:2']);
    expect(more).toBe('postgres://u:secret@a:1,c:2/db?x=1');
  });
});

describe('a server that hangs', () => {
  let proxy: TcpProxy;
  let url: string;
  beforeAll(async () => {
    const { hostname, port } = new URL(testServerUrl('postgres'));
    proxy = await createTcpProxy({ host: hostname, port: Number(port) });
    const through = new URL(testServerUrl('postgres'));
    through.host = `127.0.0.1:${proxy.port}`;
    url = through.href;
  });
  afterAll(() => proxy.close());

  it('keeps no statement of a pool waiting, and the pool works after it', async () => {
    const metrics = createMetrics('test');
    const { settings } = poolSettings({ ...client, url, max: 1, statementTimeoutMs: 100, metrics });
    const pool = new pg.Pool(settings);
    pool.on('error', () => undefined);
    await pool.query('SELECT 1');
    proxy.freeze();
    const begin = performance.now();
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(performance.now() - begin).toBeLessThan(7000);
    await expect(pool.query('SELECT 1')).rejects.toThrow(/timeout/);
    proxy.resume();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    const { body } = await metrics.expose();
    for (const result of ['opened', 'failed', 'unanswered']) {
      expect(body).toMatch(new RegExp(`vigil_database_connections_total{result="${result}",service="test"} [12]`));
    }
    await pool.end();
  }, 15_000);

  it('ends a connection that is silent for too long, and only such a one', async () => {
    const open = await connectClient({ ...client, url }, () => undefined);
    limitSilence(open, 400);
    for (let asked = 0; asked < 4; asked++) {
      await open.query('SELECT 1');
      await sleep(200);
    }
    proxy.freeze();
    await expect(open.query('SELECT 1')).rejects.toThrow(/no answer within 0.4 s/);
    proxy.resume();
  });
});

describe('two servers', () => {
  let pair: PostgresPair;
  beforeAll(async () => {
    pair = await startPostgresPair();
  }, 60_000);
  afterAll(() => pair?.stop());

  it('the primary is used, whatever the order, and the next one after a promotion', async () => {
    const reversed = pair.url.replace(/@(.*),(.*)\/vigil/, '@$2,$1/vigil');
    const { settings, findPrimary } = poolSettings({ ...client, url: reversed, max: 2, statementTimeoutMs: 1000 });
    const pool = new pg.Pool(settings);
    pool.on('error', () => undefined);
    expect(await findPrimary()).toBe(pair.primaryUrl);
    await pool.query('CREATE TABLE kept AS SELECT 1 AS one');
    const connectListening = () => connectClient({ ...client, url: reversed, waits: true }, () => undefined);
    const former = await connectListening();
    const lost = new Promise((resolve) => former.once('end', resolve));
    await pair.killPrimary();
    await lost;
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    await expect(connectListening()).rejects.toThrow(/no server is the primary: .*it is a standby.*ECONNREFUSED/);
    await pair.promote();
    const insert = () =>
      pool.query('INSERT INTO kept VALUES (2)').then(
        () => true,
        () => false,
      );
    await expect.poll(insert, { timeout: 10_000 }).toBe(true);
    expect((await pool.query('SELECT one FROM kept ORDER BY one')).rows).toEqual([{ one: 1 }, { one: 2 }]);
    const listening = await connectListening();
    await listening.query('LISTEN x');
    await listening.end();
    await pool.end();
  }, 30_000);
});
