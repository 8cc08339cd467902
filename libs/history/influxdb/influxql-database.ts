import { OperatorError } from '#libs/domain';
import { type InfluxRequest, InfluxStatusError } from './http-transport.ts';
import { influxqlName } from './influxql-text.ts';

export interface InfluxqlOptions {
  request: InfluxRequest;
  version: '1' | '3';
  database: string;
  /** Whether a missing database is created. */
  createDatabase: boolean;
}

/** One group of a response. */
export interface InfluxqlSeries {
  tags?: Record<string, string>;
  columns: string[];
  values: (number | string | null)[][];
}

interface InfluxqlResponse {
  error?: string;
  results?: { error?: string; series?: InfluxqlSeries[] }[];
}

/** Statements and writes on one database. */
export interface InfluxqlDatabase {
  /** The series of each statement of `text`. @throws InfluxStatusError, also for an error in a 200 response */
  query(text: string): Promise<InfluxqlSeries[][]>;
  /**
   * Does `work`. Creates a missing database, once per call. @throws OperatorError when it is missing and must not be
   * created
   */
  withDatabase<T>(work: () => Promise<T>): Promise<T>;
  /** Writes line protocol, in several requests when it is long. */
  write(lines: readonly string[]): Promise<void>;
}

/** Lines per write request. InfluxDB recommends 5,000 to 10,000. */
const linesPerWrite = 10_000;

/** Sends no request yet. */
export function createInfluxqlDatabase(options: InfluxqlOptions): InfluxqlDatabase {
  const { request, version, database } = options;

  function send(text: string) {
    const search = { db: database, epoch: 'ms' };
    if (version === '3') return request({ method: 'GET', path: '/query', query: { ...search, q: text } });
    const body = new URLSearchParams({ q: text }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    return request({ method: 'POST', path: '/query', query: search, body, contentType });
  }

  async function query(text: string): Promise<InfluxqlSeries[][]> {
    const response = await send(text);
    const parsed = JSON.parse(response.text) as InfluxqlResponse;
    const fault = parsed.error ?? parsed.results?.find((result) => result.error !== undefined)?.error;
    if (fault !== undefined) throw new InfluxStatusError(statusOfFault(fault), fault);
    return (parsed.results ?? []).map((result) => result.series ?? []);
  }

  async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissingDatabase(error)) throw error;
      if (!options.createDatabase) {
        const advice = version === '1' ? 'create it or set create=true in VIGIL_INFLUX_URL' : 'create it';
        throw new OperatorError(`InfluxDB has no database ${database}; ${advice}`, { cause: error });
      }
      await query(`CREATE DATABASE ${influxqlName(database)}`);
      return await work();
    }
  }

  async function write(lines: readonly string[]): Promise<void> {
    for (let first = 0; first < lines.length; first += linesPerWrite) {
      const body = lines.slice(first, first + linesPerWrite).join('\n');
      const search = { db: database, precision: 'ms' };
      await withDatabase(async () => {
        await request({
          method: 'POST',
          path: '/write',
          query: search,
          body,
          contentType: 'text/plain; charset=utf-8',
        });
      });
    }
  }

  return { query, withDatabase, write };
}

/** The equivalent status of an error in a 200 response: internal errors of the server do not refuse the request. */
function statusOfFault(fault: string): number {
  if (fault.startsWith('database not found')) return 404;
  return /timeout|engine is closed|shutting down/i.test(fault) ? 503 : 400;
}

function isMissingDatabase(error: unknown): boolean {
  return error instanceof InfluxStatusError && error.status === 404 && error.message.includes('database not found');
}
