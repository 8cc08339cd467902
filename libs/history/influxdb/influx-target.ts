import { type MetricAggregate, OperatorError } from '#libs/domain';
import { readTlsFiles, type TlsFiles, tlsParameters } from '#libs/service-kit/env';
import type { StoredBound } from '../catalogue-unit.ts';
import type { SeriesPoint } from '../history-port.ts';
import type { HistoryWindow } from '../window.ts';
import type { MetricLayout } from './metric-layout.ts';

/** One dialect of InfluxDB. Values are as stored, and the caller converts them. Errors are those of the transport. */
export interface InfluxBackend {
  /** @param bound for a minimum or maximum: only values beyond it are needed. Default: all values are */
  aggregate(
    layout: MetricLayout,
    aggregate: MetricAggregate,
    window: HistoryWindow,
    resources?: readonly string[],
    bound?: StoredBound,
  ): Promise<Map<string, number>>;
  series(layout: MetricLayout, resource: string, window: HistoryWindow, stepSeconds: number): Promise<SeriesPoint[]>;
  /** Names of the layouts that have a sample in the window. */
  present(layouts: Map<string, MetricLayout>, window: HistoryWindow): Promise<string[]>;
  write(lines: string[]): Promise<void>;
  probe(nowMs: number): Promise<void>;
}

/** Version of the InfluxDB server. `auto` queries the server. */
export type InfluxVersion = 'auto' | '1' | '2' | '3';

/** The content of `VIGIL_INFLUX_URL`. It has secrets: log `label` only. */
export interface InfluxTarget {
  /** Scheme, host and port. */
  origin: string;
  /** Host, port and database or bucket. Safe to show. */
  label: string;
  version: InfluxVersion;
  org: string | undefined;
  bucket: string | undefined;
  database: string | undefined;
  token: string | undefined;
  user: string | undefined;
  password: string | undefined;
  /** Whether a missing 1.x database may be created. */
  createDatabase: boolean;
  tls: TlsFiles;
}

const knownParameters = ['org', 'bucket', 'token', 'version', 'create', ...tlsParameters];
const forms =
  'http://host:8086/?org=ORG&bucket=BUCKET&token=TOKEN (2.x) or http://user:password@host:8086/DATABASE (1.x)';

/**
 * Reads the URL forms `http://host:8086/?org=…&bucket=…&token=…&version=auto|1|2|3` and
 * `http://user:password@host:8086/database?create=true|false`. With https also `cacertfile`, `certfile` and `keyfile`.
 * A separate `token` overrides the one in the URL. @throws OperatorError, which never contains the URL because it may
 * hold a secret
 */
export function parseInfluxTarget(url: string, options: { token?: string } = {}): InfluxTarget {
  const parsed = parseUrl(url);
  for (const name of parsed.searchParams.keys()) {
    if (!knownParameters.includes(name)) {
      throw new OperatorError(
        `VIGIL_INFLUX_URL: unknown parameter ${name}; known parameters: ${knownParameters.join(', ')}`,
      );
    }
  }
  const parameter = (name: string) => parsed.searchParams.get(name) || undefined;
  const path = parsed.pathname.replace(/^\/+|\/+$/g, '');
  if (path.includes('/')) {
    throw new OperatorError(`VIGIL_INFLUX_URL: the path must be one database name; the forms are ${forms}`);
  }
  const target: InfluxTarget = {
    origin: parsed.origin,
    label: `${parsed.host}/${path === '' ? (parameter('bucket') ?? '') : decode(path)}`,
    version: versionOf(parameter('version')),
    org: parameter('org'),
    bucket: parameter('bucket'),
    database: path === '' ? undefined : decode(path),
    token: options.token || parameter('token'),
    user: parsed.username === '' ? undefined : decode(parsed.username),
    password: parsed.password === '' ? undefined : decode(parsed.password),
    createDatabase: createOf(parameter('create')),
    tls: readTlsFiles(parsed, 'VIGIL_INFLUX_URL'),
  };
  refuseIncomplete(target);
  return target;
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new OperatorError(`VIGIL_INFLUX_URL is not an http or https URL; the forms are ${forms}`);
  }
  return parsed;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new OperatorError('VIGIL_INFLUX_URL: a percent sign must be followed by two hexadecimal digits');
  }
}

function versionOf(text: string | undefined): InfluxVersion {
  const version = text ?? 'auto';
  if (version === 'auto' || version === '1' || version === '2' || version === '3') return version;
  throw new OperatorError(`VIGIL_INFLUX_URL: version=${version} must be auto, 1, 2 or 3`);
}

function createOf(text: string | undefined): boolean {
  if (text === undefined || text === 'true') return true;
  if (text === 'false') return false;
  throw new OperatorError(`VIGIL_INFLUX_URL: create=${text} must be true or false`);
}

function refuseIncomplete(target: InfluxTarget): void {
  if (target.version === '2') requireForVersion2(target);
  if (target.bucket === undefined && target.database === undefined) {
    throw new OperatorError(`VIGIL_INFLUX_URL names neither a bucket nor a database; the forms are ${forms}`);
  }
  if (target.password !== undefined && target.user === undefined) {
    throw new OperatorError('VIGIL_INFLUX_URL has a password without a user');
  }
}

/** Settings that only 2.x needs. They are checked again when the server is found to be 2.x. @throws OperatorError */
export function requireForVersion2(target: InfluxTarget): { org: string; bucket: string; token: string } {
  const { org, bucket, token } = target;
  if (org !== undefined && bucket !== undefined && token !== undefined) return { org, bucket, token };
  const missing = [org ?? 'org', bucket ?? 'bucket', token ?? 'token (or VIGIL_INFLUX_TOKEN)'].filter(
    (_, index) => [org, bucket, token][index] === undefined,
  );
  throw new OperatorError(`VIGIL_INFLUX_URL: InfluxDB 2 needs ${missing.join(' and ')}; the form is ${forms}`);
}
