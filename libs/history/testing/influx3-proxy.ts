import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Result {
  status: number;
  body?: string | object;
  headers?: Record<string, string>;
}

/** A proxy that responds like the 1.x endpoints of an InfluxDB 3 Core. */
export interface Influx3Proxy {
  url: string;
  /** Requests that an InfluxDB 3 would refuse. A missing database is not a refusal. */
  refusals: string[];
  close(): Promise<void>;
}

const version = '3.4.2';
const precisions = new Set(['n', 'ns', 'u', 'us', 'ms', 's', 'm', 'h']);

/**
 * Enforces the protocol of InfluxDB 3, and leaves data and arithmetic to a real InfluxDB 1.x. Every path requires the
 * token. The query is in the URL, one SELECT or SHOW statement at a time. Writes create databases.
 */
export async function startInflux3Proxy(options: {
  /** URL of the InfluxDB 1.x. */
  backing: string;
  token: string;
  /** An existing database. */
  database: string;
}): Promise<Influx3Proxy> {
  const { backing, token } = options;
  const prefix = `v3_${process.pid}_${process.hrtime.bigint()}_`;
  const databases = new Set<string>();
  const refusals: string[] = [];

  function refuse(status: number, error: string): Result {
    refusals.push(error);
    return { status, body: { error } };
  }

  async function forward(path: string, query: Record<string, string>, body?: string): Promise<Result> {
    const response = await fetch(new URL(`${path}?${new URLSearchParams(query)}`, backing), { method: 'POST', body });
    return { status: response.status, body: await response.text() };
  }

  async function create(database: string): Promise<void> {
    if (!databases.has(database)) await forward('/query', { q: `CREATE DATABASE "${prefix}${database}"` });
    databases.add(database);
  }

  async function write(params: URLSearchParams, body: string): Promise<Result> {
    const database = params.get('db');
    const precision = params.get('precision') ?? 'ns';
    if (!database || !/^[A-Za-z0-9][\w/-]*$/.test(database)) return refuse(400, `invalid database name ${database}`);
    if (!precisions.has(precision)) return refuse(400, `unknown precision ${precision}`);
    await create(database);
    return forward('/write', { db: prefix + database, precision }, body);
  }

  async function query(params: URLSearchParams): Promise<Result> {
    const [text, database] = [params.get('q') ?? '', params.get('db') ?? ''];
    const fault = faultOf(text, database);
    if (fault !== null) return refuse(400, fault);
    if (!databases.has(database)) return { status: 404, body: { error: `database not found: ${database}` } };
    if (text.startsWith('SHOW RETENTION POLICIES')) return policies(database);
    const forwarded = await forward('/query', { db: prefix + database, epoch: params.get('epoch') ?? 'ns', q: text });
    const { results, error } = JSON.parse(String(forwarded.body)) as {
      results?: { series?: object[] }[];
      error?: string;
    };
    if (!results) return refuse(400, error ?? 'no results');
    return { status: 200, body: { results: results.map((result) => ({ ...result, series: result.series ?? [] })) } };
  }

  async function resultOf(request: IncomingMessage, url: URL, body: string): Promise<Result> {
    if (!isAuthorized(request.headers.authorization, token)) return refuse(401, 'the request was not authenticated');
    const route = `${request.method} ${url.pathname}`;
    if (route === 'GET /health') return { status: 200, body: 'OK' };
    if (route === 'GET /ping') return { status: 200, body: { version }, headers: { 'x-influxdb-version': version } };
    if (route === 'POST /write') return write(url.searchParams, body);
    if (url.pathname === '/query') return query(url.searchParams);
    return refuse(404, `not found: ${route}`);
  }

  await create(options.database);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://proxy');
    const { status, body, headers } = await resultOf(request, url, Buffer.concat(chunks).toString());
    const text = typeof body === 'object' ? `${JSON.stringify(body)}\r\n` : body;
    response.writeHead(status, { 'x-influxdb-build': 'Core', ...headers }).end(status === 204 ? undefined : text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    async close() {
      for (const database of databases) await forward('/query', { q: `DROP DATABASE "${prefix}${database}"` });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A token in either scheme, or as the password of any user. */
function isAuthorized(header: string | undefined, token: string): boolean {
  const [scheme, value = ''] = (header ?? '').split(' ');
  if (scheme === 'Bearer' || scheme === 'Token') return value === token;
  return scheme === 'Basic' && Buffer.from(value, 'base64').toString().split(':')[1] === token;
}

function faultOf(text: string, database: string): string | null {
  if (text === '') return 'missing query parameter q';
  if (hasSecondStatement(text)) return 'must provide only one InfluxQl statement per query';
  if (database === '') return "must specify a 'db' parameter, or provide the database in the InfluxQL query";
  return /^(SELECT|SHOW)\b/.test(text) ? null : `error in InfluxQL statement: ${text}`;
}

function hasSecondStatement(text: string): boolean {
  const withoutQuotes = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  return /;\s*\S/.test(withoutQuotes);
}

function policies(database: string): Result {
  const columns = ['iox::database', 'name', 'duration'];
  const series = [{ name: 'retention_policies', columns, values: [[database, 'autogen', null]] }];
  return { status: 200, body: { results: [{ statement_id: 0, series }] } };
}
