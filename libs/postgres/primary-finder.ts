import pg from 'pg';
import { type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { postgresHostOf } from './postgres-url.ts';

/** Which of several servers takes writes. */
export interface PrimaryFinder {
  /** The URL of the server that was the primary when it was last searched for. At first that of the first server. */
  current(): string;
  /**
   * Queries all servers in parallel. Concurrent searches share one query.
   * @throws the error of the only server, or one that names each server with its reason
   */
  find(): Promise<string>;
  /** A connection to the server could not be made, or it is a standby: searches for the primary in the background. */
  suspect(url: string): void;
}

interface Found {
  url: string;
  /** Grows with every promotion, so that a returned former primary is detected. */
  timeline: number;
}

/** Wait for further servers after the first one that reports to be the primary, in milliseconds. */
const rivalsMs = 300;

const question = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_walfile_name(pg_current_wal_lsn()) END AS segment`;

/** Runs one query on a separate connection to one server. Returns the first row. @throws the driver's error */
export async function queryServer<Row extends object>(
  url: string,
  statement: string,
  { as, limitMs }: { as: string; limitMs: number },
): Promise<Row | undefined> {
  const client = new pg.Client({
    ...{ connectionString: url, application_name: as },
    ...{ connectionTimeoutMillis: limitMs, statement_timeout: limitMs, query_timeout: limitMs },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows[0];
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * A single server is assumed to be the primary.
 * @param limitMs time limit of the query to one server.
 */
export function createPrimaryFinder(
  urls: readonly [string, ...string[]],
  options: { limitMs: number; logger: Logger },
): PrimaryFinder {
  const { limitMs, logger } = options;
  let current = urls[0];
  let highest = 0;
  let searching: Promise<string> | null = null;

  async function request(url: string): Promise<Found> {
    const response = await queryServer<{ segment: string | null }>(url, question, { as: 'vigil-primary', limitMs });
    const segment = response?.segment ?? null;
    if (segment === null) throw Object.assign(new Error('it is a standby'), { code: '25006' });
    const timeline = Number.parseInt(segment.slice(0, 8), 16);
    if (timeline < highest) throw Object.assign(new Error('it is a former primary'), { code: '25006' });
    return { url, timeline };
  }

  async function search(): Promise<string> {
    const found: Found[] = [];
    const requested = urls.map(async (url) => void found.push(await request(url)));
    await Promise.any(requested).catch((error: AggregateError) => {
      throw noPrimary(error.errors, urls);
    });
    await withTimeLimit<unknown>(Promise.allSettled(requested), rivalsMs, () => undefined);
    const { url, timeline } = found.reduce((best, each) => (each.timeline > best.timeline ? each : best));
    if (highest > 0 && url !== current) {
      logger.warn({ server: postgresHostOf(url), before: postgresHostOf(current) }, 'PostgreSQL has another primary');
    }
    [current, highest] = [url, timeline];
    return url;
  }

  async function find(): Promise<string> {
    if (urls.length === 1) return current;
    searching ??= search().finally(() => {
      searching = null;
    });
    return searching;
  }

  return {
    current: () => current,
    find,
    suspect(url) {
      if (urls.length > 1 && url === current) find().catch(() => undefined);
    },
  };
}

/** Keeps the code of the first server's failure, by which it is known whether waiting may help. */
function noPrimary(errors: readonly unknown[], urls: readonly string[]): Error {
  const reasons = errors.map((error, index) => `${postgresHostOf(urls[index] ?? '')} ${messageOf(error)}`);
  const fatal = errors.find((error) => /^(28|3D)/.test(codeOf(error)));
  return Object.assign(new Error(`no server is the primary: ${reasons.join('; ')}`, { cause: fatal ?? errors[0] }), {
    code: codeOf(fatal ?? errors[0]),
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
