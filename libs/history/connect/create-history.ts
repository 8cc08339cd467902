import type { Clock, Logger } from '#libs/domain';
import { OperatorError } from '#libs/domain';
import type { HistoryMetrics } from '#libs/history';
import type { MetricMapping } from '#libs/history/influxdb';
import { createInfluxHistory } from '#libs/history/influxdb';
import { createPostgresHistory } from '#libs/history/postgres';
import type { HistoryReader, HistoryWriter } from '../history-port.ts';

/** Which store keeps the cluster history: InfluxDB when it has a URL, Vigil's own database otherwise. */
export interface HistoryConnection {
  /** `VIGIL_INFLUX_URL`. */
  influxUrl?: string;
  /** `VIGIL_INFLUX_TOKEN`, when it is not in the URL. */
  influxToken?: string;
  /** Layout of data that other collectors wrote to InfluxDB. */
  influxMapping?: MetricMapping;
  /** `VIGIL_DATABASE_URL`, or that of the embedded database. */
  databaseUrl?: string;
  logger: Logger;
  clock: Clock;
  metrics?: HistoryMetrics;
}

/** A reader and writer in one, and its housekeeping. */
export interface History extends HistoryReader, HistoryWriter {
  /**
   * Deletes samples older than this many seconds where that is Vigil's job; InfluxDB does it by its retention policy.
   */
  prune(ageSeconds: number): Promise<void>;
}

/** Opens the history store that the settings name, without a query. Throws OperatorError when there is none. */
export function createHistory(connection: HistoryConnection): History {
  const { influxUrl, databaseUrl, logger, clock, metrics } = connection;
  if (influxUrl !== undefined && influxUrl !== '') {
    const options = { url: influxUrl, token: connection.influxToken, mapping: connection.influxMapping };
    return { ...createInfluxHistory({ ...options, logger, clock, metrics }), prune: async () => {} };
  }
  if (databaseUrl === undefined || databaseUrl === '') {
    throw new OperatorError('there is no history store: set VIGIL_INFLUX_URL or VIGIL_DATABASE_URL');
  }
  const history = createPostgresHistory({ url: databaseUrl, logger, clock, metrics });
  return {
    ...history,
    prune: async (ageSeconds) => {
      await history.prune(ageSeconds);
    },
  };
}

/** The writing half alone, for the simulator. */
export function createHistoryWriter(connection: HistoryConnection): HistoryWriter & Pick<History, 'prune'> {
  const { write, prune, close } = createHistory(connection);
  return { write, prune, close };
}
