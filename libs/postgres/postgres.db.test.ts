import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { createMetrics } from '#libs/service-kit';
import { createTcpProxy, type PostgresPair, startPostgresPair, type TcpProxy, testServerUrl } from '#tests';
import { connectClient } from './connect-client.ts';
import { poolSettings } from './pool-settings.ts';
import { addPostgresHosts, describePostgresUrl, postgresUrlsOf } from './postgres-url.ts';

const client = { logger, applicationName: 'test', connectTimeoutMs: 30_000 };

describe('URLs', () => {
  it('have a server each', () => {
    expect(postgresUrlsOf('postgres://u:p%40@a:1,b/db?sslmode=require')).toEqual([
      'postgres://u:p%40@a:1/db?sslmode=require',
      'postgres://u:p%40@b/db?sslmode=require',
    ]);
    expect(postgresUrlsOf('postgres://a/db')).toEqual(['postgres://a/db']);
    for (const wrong of ['mysql://a/db', 'postgres://a:x/db', 'a,b']) expect(postgresUrlsOf(wrong)).toBeNull();
  });

  it('are shown without user and password, and take further servers once', () => {
    expect(describePostgresUrl('postgres://u:secret@a:1,b/db')).toBe('a:1,b:5432/db');
    const more = addPostgresHosts('postgres://u:secret@a:1/db?x=1', ['a:1', 'c:2']);
    expect(more).toBe('postgres://u:secret@a:1,c:2/db?x=1');
  });
});

it('connections have 10 s to be made by default, or as many as the URL says', () => {
  const options = { logger, applicationName: 'test', url: 'postgres://a/db', max: 1, statementTimeoutMs: 0 };
  expect(poolSettings(options).settings.connectionTimeoutMillis).toBe(10_000);
  const patient = 'postgres://u@a,b:5433/db?connect_timeout=60';
  expect(poolSettings({ ...options, url: patient }).settings.connectionTimeoutMillis).toBe(60_000);
  expect(poolSettings({ ...options, url: `${patient}s` }).settings.connectionTimeoutMillis).toBe(10_000);
  expect(poolSettings({ ...options, connectTimeoutMs: 1 }).settings.connectionTimeoutMillis).toBe(1);
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
    const { settings } = poolSettings({
      ...{ ...client, url, max: 1, metrics },
      ...{ connectTimeoutMs: 1000, statementTimeoutMs: 100 },
    });
    const pool = new pg.Pool(settings);
    pool.on('error', () => undefined);
    // With limits this short a busy machine may need several tries.
    const works = () =>
      pool.query('SELECT 1').then(
        () => true,
        () => false,
      );
    await expect.poll(works).toBe(true);
    proxy.freeze();
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await expect(pool.query('SELECT 1')).rejects.toThrow(/timeout/);
    proxy.resume();
    await expect.poll(works).toBe(true);
    const { body } = await metrics.expose();
    for (const result of ['opened', 'failed', 'unanswered']) {
      expect(body).toMatch(new RegExp(`vigil_database_connections_total{result="${result}",service="test"} [1-9]`));
    }
    await pool.end();
  });

  it('ends a waiting connection after 20 s of silence, with a keepalive every 10 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const applicationName = 'waits-for-news';
    const failures: unknown[] = [];
    const open = await connectClient({ ...client, applicationName, url, waits: true }, (e) => void failures.push(e));
    const { stream } = (open as unknown as { connection: { stream: Socket } }).connection;
    expect(stream.timeout).toBe(20_000);
    const watching = await connectClient({ ...client, url: testServerUrl('postgres') }, () => undefined);
    const requested = async () => {
      const text = 'SELECT query FROM pg_stat_activity WHERE application_name = $1';
      return (await watching.query<{ query: string }>(text, [applicationName])).rows[0]?.query;
    };
    expect(await requested()).not.toBe('SELECT 1');
    vi.advanceTimersByTime(10_000);
    await expect.poll(requested).toBe('SELECT 1');
    await watching.end();
    proxy.freeze();
    const ended = new Promise((resolve) => open.once('end', resolve));
    // As the socket does after that time without traffic.
    stream.emit('timeout');
    await ended;
    expect(failures[0]).toMatchObject({ code: 'ETIMEDOUT' });
    expect(String(failures[0])).toContain('no response within 20 s');
    expect(vi.getTimerCount()).toBe(0);
    proxy.resume();
  });
});

describe('two servers', () => {
  let pair: PostgresPair;
  beforeAll(async () => {
    pair = await startPostgresPair();
  });
  afterAll(() => pair?.stop());

  it('the primary is used in any order, and the next one after a promotion', async () => {
    const reversed = pair.url.replace(/@(.*),(.*)\/vigil/, '@$2,$1/vigil');
    const { settings, findPrimary } = poolSettings({ ...client, url: reversed, max: 2, statementTimeoutMs: 30_000 });
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
    await expect.poll(insert).toBe(true);
    expect((await pool.query('SELECT one FROM kept ORDER BY one')).rows).toEqual([{ one: 1 }, { one: 2 }]);
    const listening = await connectListening();
    await listening.query('LISTEN x');
    await listening.end();
    await pool.end();
  });
});
