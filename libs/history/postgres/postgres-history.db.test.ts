import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputError, silentLogger as logger } from '#libs/domain';
import { createTestDatabase, type TestDatabase } from '#tests';
import { HistoryRefusedError, type Sample } from '../history-port.ts';
import { createPostgresHistory, type PostgresHistory } from './postgres-history.ts';

const nowMs = Date.UTC(2026, 5, 1);
const clock = { now: () => nowMs };

describe('Postgres history', () => {
  let database: TestDatabase;
  let history: PostgresHistory;

  beforeAll(async () => {
    database = await createTestDatabase();
    history = createPostgresHistory({ url: database.url, logger, clock });
  });
  afterAll(async () => {
    await history.close();
    await database.drop();
  });

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  it('keeps samples of one moment in one row, and adds later ones of that moment', async () => {
    const at = nowMs - 5_000_000;
    const sample = (resource: string, value: number): Sample => ({ metric: 'host_power', resource, value, at });
    await history.write([sample('a', 1), sample('b', 2)]);
    await history.write([sample('b', 3), sample('c', 4)]);

    const rows = await query<{ values: number[] }>(
      "SELECT sample_values AS values FROM history_blocks WHERE metric = 'host_power'",
    );
    const values = await history.aggregate({ metric: 'host_power', aggregate: 'mean', periodSeconds: 60, endMs: at });

    expect(rows).toHaveLength(1);
    expect(values).toEqual(
      new Map([
        ['a', 1],
        ['b', 3],
        ['c', 4],
      ]),
    );
  });

  it('finds the resources with values above a limit, with the greatest of each', async () => {
    const sample = (resource: string, value: number, ago: number): Sample => ({
      ...{ metric: 'host_cpu_usage', resource, value },
      at: nowMs - 9_000_000 - ago * 1000,
    });
    await history.write([sample('calm', 100, 0), sample('odd', 101, 0), sample('odd', 500, 30), sample('odd', 7, 50)]);
    await history.write([sample('early', 900, 60), sample('late', 900, -1)]);
    const window = {
      metric: 'host_cpu_usage',
      aggregate: 'mean',
      periodSeconds: 60,
      endMs: nowMs - 9_000_000,
    } as const;
    expect(await history.maximaAbove?.(window, 100)).toEqual(new Map([['odd', 500]]));
  });

  it('limits the time of a statement, not the wait for others', async () => {
    const one = createPostgresHistory({ url: database.url, logger, clock, poolSize: 1, timeoutMs: 1_500 });
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE history_blocks IN ACCESS EXCLUSIVE MODE');
    const window = { metric: 'host_power', aggregate: 'mean', periodSeconds: 60, endMs: nowMs } as const;
    const [first, second] = [one.aggregate(window), one.aggregate(window)];
    void second.catch(() => undefined);
    await expect(first).rejects.toThrow();
    await lock.end();
    expect(await second).toEqual(new Map());
    await one.close();
  });

  it('stores batches of several concurrent writers', async () => {
    const other = createPostgresHistory({ url: database.url, logger, clock });
    const batch = (writer: number): Sample[] =>
      Array.from({ length: 500 }, (_, index) => ({
        metric: 'host_airflow',
        resource: `shared-${(index * 7 + writer * 13) % 500}`,
        value: writer,
        at: nowMs - 1000 * writer,
      }));
    await Promise.all([0, 1, 2, 3].map((writer) => (writer % 2 ? other : history).write(batch(writer))));
    await other.close();

    const counts = await history.aggregate({ metric: 'host_airflow', aggregate: 'count', periodSeconds: 60 });

    expect(counts.size).toBe(500);
    expect([...counts.values()].every((count) => count === 4)).toBe(true);
  });

  it('removes values older than the retention time', async () => {
    const hour = 3_600_000;
    const sample = { metric: 'host_outlet_temp', resource: 'a', value: 1 } as const;
    await history.write([
      { ...sample, at: nowMs - 25 * hour },
      { ...sample, at: nowMs - 23 * hour },
    ]);

    const gone = await history.prune(24 * 3600);

    const left = await history.aggregate({ metric: 'host_outlet_temp', aggregate: 'count', periodSeconds: 100 * 3600 });
    expect(gone).toBe(1);
    expect(left.get('a')).toBe(1);
  });

  it('reports the remedy when the tables are missing', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const lost = createPostgresHistory({ url: empty.url, logger, clock });

    await expect(lost.probe()).rejects.toThrow(/run "vigil db upgrade"/);

    await lost.close();
    await empty.drop();
  });

  it.each([
    { startMs: -9.2e18, endMs: nowMs, stepSeconds: 60 },
    { startMs: nowMs - 1000, endMs: 8.64e15, stepSeconds: 60 },
    { startMs: nowMs - 1000, endMs: nowMs, stepSeconds: Number.MAX_SAFE_INTEGER },
    { startMs: nowMs - 1000, endMs: nowMs, stepSeconds: Number.POSITIVE_INFINITY },
    { startMs: 0, endMs: nowMs, stepSeconds: 1 },
  ])('refuses a window that no store knows as invalid input: %o', async (window) => {
    const failing = history.series({ metric: 'host_power', resource: 'a', ...window });
    await expect(failing).rejects.toThrow(InvalidInputError);
  });

  it('counts as refused, not as unavailable, when PostgreSQL cannot store a value', async () => {
    const failing = history.series({
      metric: 'host_power',
      resource: 'a\0b',
      startMs: nowMs - 1000,
      endMs: nowMs,
      stepSeconds: 60,
    });
    await expect(failing).rejects.toThrow(HistoryRefusedError);
  });

  it('reports a server that is unavailable, without its password', async () => {
    const away = createPostgresHistory({ url: 'postgres://me:hunter2@127.0.0.1:9/vigil', logger, clock });

    const error = await away.probe().catch((thrown: unknown) => thrown);

    expect(String(error)).toMatch(/ECONNREFUSED/);
    expect(String(error)).not.toMatch(/hunter2/);
    await away.close();
  });

  it('stores and returns ten minutes of 800 hosts and 15,195 instances', async () => {
    const batch: Sample[] = [];
    for (let row = 0; row < 15_195; row += 1) {
      const resource = `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;
      batch.push({ metric: 'instance_cpu_usage', resource, value: (row * 37) % 100, at: nowMs });
      batch.push({ metric: 'instance_ram_usage', resource, value: row, at: nowMs });
    }
    for (let row = 0; row < 800; row += 1) {
      batch.push({ metric: 'host_cpu_usage', resource: `compute-${row}`, value: row % 100, at: nowMs });
    }
    await history.write(batch);
    const again = batch.map((sample) => ({ ...sample, at: nowMs - 600_000 }));

    await history.write(again);
    await query(
      `INSERT INTO history_blocks (metric, at, resources, sample_values)
       SELECT metric, at - make_interval(secs => 5 * step), resources, sample_values
       FROM history_blocks, generate_series(1, 119) AS step WHERE at = $1 AND metric LIKE 'instance%usage'`,
      [new Date(nowMs)],
    );
    const values = await history.aggregate({ metric: 'instance_cpu_usage', aggregate: 'mean', periodSeconds: 600 });
    const resource = '00000000-0000-4000-8000-000000000042';
    expect(values.size).toBe(15_195);
    expect(values.get(resource)).toBe((42 * 37) % 100);
  });
});
