import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { toAnnotatedCsv } from './annotated-csv.ts';
import { BucketNotFoundError, evaluateFlux } from './evaluate-flux.ts';
import { type FluxFrontEnd, loadFluxFrontEnd } from './flux-front-end.ts';
import { FluxEvaluationError } from './flux-tables.ts';
import { storeLines } from './parse-line-protocol.ts';
import { createPointStore, type PointStore } from './point-store.ts';

/** An InfluxDB 2 with the subset in use. Data are in memory. */
export interface Influx2Emulator {
  /** Origin, such as `http://127.0.0.1:40123`. */
  url: string;
  /** `METHOD path` of every request so far. */
  requests: string[];
  /** Status for the next requests to `/api/v2`. */
  failNext(count: number, status: number): void;
  /** Delay of every response, in milliseconds. */
  setDelay(ms: number): void;
  close(): Promise<void>;
}

/** Known names. Requests with other names are refused as by InfluxDB. */
export interface Influx2EmulatorOptions {
  org: string;
  bucket: string;
  token: string;
  /** Default 2.7.11. */
  version?: string;
}

interface State extends Influx2EmulatorOptions {
  flux: FluxFrontEnd;
  buckets: Map<string, PointStore>;
}

interface Reply {
  status: number;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Starts the emulator on a free port of 127.0.0.1: `/health`, `/ping`, `/api/v2/buckets`, `/api/v2/write` (also gzip)
 * and `/api/v2/query`. The real front end checks the Flux before its evaluation.
 */
export async function startInflux2Emulator(options: Influx2EmulatorOptions): Promise<Influx2Emulator> {
  const buckets = new Map([[options.bucket, createPointStore()]]);
  const state: State = { ...options, buckets, flux: await loadFluxFrontEnd() };
  const requests: string[] = [];
  const faults: number[] = [];
  let delayMs = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://emulator');
    requests.push(`${request.method} ${url.pathname}`);
    const body = await readBody(request);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const fault = url.pathname.startsWith('/api/v2') ? faults.shift() : undefined;
    const reply =
      fault === undefined ? replyTo(state, request, url, body) : failure(fault, 'unavailable', 'on request');
    response.writeHead(reply.status, { 'content-type': reply.type ?? 'application/json', ...reply.headers });
    response.end(reply.body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ code: 'internal error', message: String(error) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext: (count, status) => void faults.push(...new Array<number>(count).fill(status)),
    setDelay: (ms) => {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString('utf8');
}

function failure(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ code, message }) };
}

function replyTo(state: State, request: IncomingMessage, url: URL, body: string): Reply {
  const version = state.version ?? '2.7.11';
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /health') {
    return { status: 200, body: JSON.stringify({ name: 'influxdb', status: 'pass', version: `v${version}` }) };
  }
  if (route === 'GET /ping') return { status: 204, headers: { 'x-influxdb-version': `v${version}` } };
  if (request.headers.authorization !== `Token ${state.token}`) {
    return failure(401, 'unauthorized', 'unauthorized access');
  }
  if (url.searchParams.get('org') !== state.org) {
    return failure(404, 'not found', `organization name "${url.searchParams.get('org')}" not found`);
  }
  if (route === 'POST /api/v2/write') return write(state, url, body);
  if (route === 'POST /api/v2/query') return query(state, body);
  if (route === 'GET /api/v2/buckets') return listBuckets(state);
  return failure(404, 'not found', 'path not found');
}

function write(state: State, url: URL, body: string): Reply {
  const name = url.searchParams.get('bucket') ?? '';
  const bucket = state.buckets.get(name);
  if (bucket === undefined) return failure(404, 'not found', `bucket "${name}" not found`);
  try {
    storeLines(bucket, body, url.searchParams.get('precision') ?? 'ns');
    return { status: 204 };
  } catch (error) {
    return failure(400, 'invalid', String(error));
  }
}

function query(state: State, body: string): Reply {
  const text = String((JSON.parse(body) as { query?: unknown }).query);
  if (!state.flux.isValid(text)) return failure(400, 'invalid', 'compilation failed: the Flux is not valid');
  try {
    const world = { bucket: (name: string) => state.buckets.get(name), nowMs: Date.now() };
    return {
      status: 200,
      type: 'text/csv; charset=utf-8',
      body: toAnnotatedCsv(evaluateFlux(state.flux.parse(text), world)),
    };
  } catch (error) {
    if (error instanceof BucketNotFoundError) return failure(404, 'not found', error.message);
    if (error instanceof FluxEvaluationError) return failure(400, 'invalid', error.message);
    throw error;
  }
}

function listBuckets(state: State): Reply {
  return { status: 200, body: JSON.stringify({ buckets: [...state.buckets.keys()].map((name) => ({ name })) }) };
}
