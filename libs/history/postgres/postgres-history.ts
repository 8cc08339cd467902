import pg from 'pg';
import { type Clock, type Logger, type MetricName, messageOf, metricCatalogue } from '#libs/domain';
import { isStatementFault, poolSettings } from '#libs/postgres';
import { createSemaphore } from '#libs/service-kit';
import {
  type HistoryReader,
  HistoryRefusedError,
  HistoryUnavailableError,
  type HistoryWriter,
} from '../history-port.ts';
import { namedResources } from '../named-resources.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';
import { sourceLimitMs } from '../source-limit.ts';
import { validateSamples } from '../validate-samples.ts';
import { seriesWindowOf, windowOf } from '../window.ts';
import { groupIntoBlocks, type SampleBlock } from './sample-blocks.ts';
import {
  addBlocks,
  addResources,
  aggregateStatement,
  findResources,
  listMetricsStatement,
  maximaAboveStatement,
  namedAggregateStatement,
  probeStatement,
  pruneStatement,
  seriesStatement,
} from './statements.ts';

/** Database and limits of the Postgres history. */
export interface PostgresHistoryOptions {
  /** `postgres://…` of a database with the migrations of Vigil. */
  url: string;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
  /** Maximum number of connections. Further calls wait. Default 4. */
  poolSize?: number;
  /** Time limit of a statement in milliseconds. Default 10000. */
  timeoutMs?: number;
}

/** History in Postgres, which can also delete old samples. */
export interface PostgresHistory extends HistoryReader, HistoryWriter {
  /** Deletes samples older than this many seconds by the injected clock. Returns the number of blocks. */
  prune(ageSeconds: number): Promise<number>;
}

const dayMs = 86_400_000;
const defaultPoolSize = 4;

/**
 * History store in the database of Vigil, the default. Samples of one metric at one moment share a row (two arrays), so
 * a batch of a large cloud has few rows. A repeated sample replaces the previous one.
 */
export function createPostgresHistory(options: PostgresHistoryOptions): PostgresHistory {
  const { clock, logger, metrics } = options;
  const poolSize = options.poolSize ?? defaultPoolSize;
  const pool = createPool(options, poolSize);
  // The connection limit of the pool would include the wait for other calls, such as windows of 100,000 instances.
  const places = createSemaphore(poolSize);
  const resourceIds = new Map<string, number>();

  /** Calls of one operation run in turn. Each operation has separate turns, so a probe does not wait for queries. */
  function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const observed = () =>
      observedCall(metrics, 'postgres', operation, async () => {
        try {
          return await work();
        } catch (error) {
          const Fault = isStatementFault(error) ? HistoryRefusedError : HistoryUnavailableError;
          throw new Fault('postgres', explain(error), { cause: error });
        }
      });
    return places.run(observed, undefined, operation);
  }

  async function numberResources(blocks: SampleBlock[]): Promise<void> {
    const unknown = new Set<string>();
    for (const block of blocks) {
      for (const name of block.values.keys()) if (!resourceIds.has(name)) unknown.add(name);
    }
    if (unknown.size === 0) return;
    const names = [...unknown];
    await pool.query(addResources, [names]);
    const found = await pool.query<{ id: number; name: string }>(findResources, [names]);
    for (const row of found.rows) resourceIds.set(row.name, row.id);
  }

  return {
    name: 'postgres',
    async write(samples) {
      validateSamples(samples);
      if (samples.length === 0) return;
      await call('write', async () => {
        const blocks = groupIntoBlocks(samples);
        await numberResources(blocks);
        await storeBlocks(pool, blocks, resourceIds);
      });
    },
    async aggregate(query) {
      const window = windowOf(query, clock);
      return await call('aggregate', async () => {
        const { metric, aggregate } = query;
        const named = namedResources(query);
        const statement = named === undefined ? aggregateStatement(aggregate) : namedAggregateStatement(aggregate);
        const values = [
          metric,
          new Date(window.startMs),
          new Date(window.endMs),
          ...(named === undefined ? [] : [named]),
        ];
        const found = await pool.query<{ name: string; value: number }>(statement, values);
        return new Map(found.rows.map((row) => [row.name, row.value]));
      });
    },
    async maximaAbove(query, limit) {
      const { startMs, endMs } = windowOf(query, clock);
      return await call('maximaAbove', async () => {
        const window = [query.metric, new Date(startMs), new Date(endMs), limit];
        const found = await pool.query<{ name: string; value: number }>(maximaAboveStatement, window);
        return new Map(found.rows.map((row) => [row.name, row.value]));
      });
    },
    async series(query) {
      const window = seriesWindowOf(query);
      return await call('series', async () => {
        const found = await pool.query<{ at: Date; value: number }>(seriesStatement, [
          query.metric,
          query.resource,
          new Date(window.startMs),
          new Date(window.endMs),
          query.stepSeconds,
        ]);
        return found.rows.map((row) => ({ at: row.at.getTime(), value: row.value }));
      });
    },
    listMetrics: () =>
      call('listMetrics', async () => {
        const endMs = clock.now();
        const candidates = Object.keys(metricCatalogue);
        const range = [new Date(endMs - dayMs), new Date(endMs), candidates];
        const found = await pool.query<{ metric: MetricName }>(listMetricsStatement, range);
        return found.rows.map((row) => row.metric);
      }),
    prune: (ageSeconds) =>
      call('prune', async () => {
        const gone = await pool.query(pruneStatement, [new Date(clock.now() - ageSeconds * 1000)]);
        logger.debug({ blocks: gone.rowCount, ageSeconds }, 'history pruned');
        return gone.rowCount ?? 0;
      }),
    probe: () =>
      call('probe', async () => {
        await pool.query(probeStatement);
      }),
    close: async () => {
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** Stores samples of numbered resources. */
async function storeBlocks(
  pool: pg.Pool,
  blocks: SampleBlock[],
  resourceIds: ReadonlyMap<string, number>,
): Promise<void> {
  const numbers: number[] = [];
  const resources: number[] = [];
  const values: number[] = [];
  for (const [index, block] of blocks.entries()) {
    for (const [name, value] of block.values) {
      const id = resourceIds.get(name);
      if (id === undefined) throw new Error(`resource ${name} has no number`);
      numbers.push(index + 1);
      resources.push(id);
      values.push(value);
    }
  }
  const metricNames = blocks.map((block) => block.metric);
  const times = blocks.map((block) => new Date(block.at));
  await pool.query(addBlocks, [metricNames, times, arrayText(numbers), arrayText(resources), arrayText(values)]);
}

function createPool(options: PostgresHistoryOptions, poolSize: number): pg.Pool {
  const timeoutMs = options.timeoutMs ?? sourceLimitMs;
  const { settings } = poolSettings({
    url: options.url,
    logger: options.logger,
    applicationName: 'vigil-history',
    max: poolSize,
    connectTimeoutMs: timeoutMs,
    statementTimeoutMs: timeoutMs,
  });
  const pool = new pg.Pool({
    ...settings,
    types: { getTypeParser: (oid, format) => (oid === 701 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  pool.on('error', (error) => options.logger.info({ err: error }, 'idle history connection lost'));
  return pool;
}

/**
 * Text form of a Postgres array of numbers. Much faster than the quoting of the driver for tens of thousands of
 * numbers.
 */
function arrayText(values: number[]): string {
  return `{${values.join(',')}}`;
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '42P01') return `${messageOf(error)}; run "vigil db upgrade" on this database`;
  return messageOf(error);
}
