import type { Clock, Logger } from '#libs/domain';
import { OperatorError } from '#libs/domain';
import type { HistoryMetrics } from '#libs/history';
import type { MetricMapping } from '#libs/history/influxdb';
import { createInfluxHistory } from '#libs/history/influxdb';
import { createPostgresHistory } from '#libs/history/postgres';
import type { HistoryReader, HistoryWriter } from '../history-port.ts';

/** Settings of the history store: InfluxDB when it has a URL, the database of Vigil otherwise. */
export interface HistoryConnection {
  /** `VIGIL_INFLUX_URL`. */
  influxUrl?: string;
  /** `VIGIL_INFLUX_TOKEN`, unless the URL contains the token. */
  influxToken?: string;
  /** Layout of data that other collectors wrote to InfluxDB. */
  influxMapping?: MetricMapping;
  /** `VIGIL_DATABASE_URL`, or the URL of the embedded database. */
  databaseUrl?: string;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
}

/** Reader, writer and housekeeping of a history store. */
export interface History extends HistoryReader, HistoryWriter {
  /** Deletes samples older than this many seconds. InfluxDB does this by its retention policy. */
  prune(ageSeconds: number): Promise<void>;
}

/**
 * Opens the history store that the settings name, without a query. @throws OperatorError when no store is configured
 */
export function createHistory(connection: HistoryConnection): History {
  const { influxUrl, databaseUrl, logger, clock, metrics } = connection;
  if (influxUrl !== undefined && influxUrl !== '') {
    const options = { url: influxUrl, token: connection.influxToken, mapping: connection.influxMapping };
    return { ...createInfluxHistory({ ...options, logger, clock, metrics }), prune: async () => {} };
  }
  if (databaseUrl === undefined || databaseUrl === '') {
    throw new OperatorError('no history store is configured: set VIGIL_INFLUX_URL or VIGIL_DATABASE_URL');
  }
  const history = createPostgresHistory({ url: databaseUrl, logger, clock, metrics });
  return {
    ...history,
    prune: async (ageSeconds) => {
      await history.prune(ageSeconds);
    },
  };
}

/** Only the writer, for the simulator. */
export function createHistoryWriter(connection: HistoryConnection): HistoryWriter & Pick<History, 'prune'> {
  const { write, prune, close } = createHistory(connection);
  return { write, prune, close };
}
