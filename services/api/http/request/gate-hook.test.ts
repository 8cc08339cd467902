import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gate, GateReport } from '#libs/dependencies';
import { createMetrics, createReadiness } from '#libs/service-kit';
import { type FrontServer, startFrontServer } from '../../operations/front-server.ts';
import { installGate } from './gate-hook.ts';
import { installRetryAfter } from './retry-after.ts';

type Found = { name: string; required?: boolean; up: boolean; readable?: boolean };

/** Findings of a gate, of one node each. */
function reportOf(...found: Found[]): GateReport {
  const dependencies = found.map(({ name, required = true, up, readable = up }) => {
    return { name, required, up, nodes: [{ node: `${name}-0`, up, readable, reason: null, durationMs: 1 }] };
  });
  return { open: found.every(({ required, up }) => up || required === false), at: '', dependencies };
}

let report: GateReport | null;
let front: FrontServer;
const gate = {
  get isOpen() {
    return report?.open ?? false;
  },
  report: () => report,
} as Gate;

beforeEach(async () => {
  report = null;
  const readiness = createReadiness();
  readiness.add('gate', async () => {
    if (!gate.isOpen) throw new Error('postgresql: database.example:5432 refuses');
  });
  const deps = { gate, readiness, metrics: createMetrics('api'), mountPrefix: '' };
  front = await startFrontServer(deps, { host: '127.0.0.1', port: 0 });
});
afterEach(() => front.stop());

async function request(path: string, method = 'GET', headers: Record<string, string> = {}) {
  const response = await fetch(`${front.url}${path}`, { method, headers });
  const body = (await response.json()) as { error_message?: string };
  const text = body.error_message ? (JSON.parse(body.error_message) as { faultstring: string }).faultstring : '';
  const warning = response.headers.get('warning');
  return { status: response.status, retryAfter: response.headers.get('retry-after'), warning, text };
}

/** The header of python-watcherclient 4, whose errors have no time to wait. */
const watcherClient = { 'User-Agent': 'python-watcherclient' };

describe('before the application is ready', () => {
  it('a closed gate is alive but not ready, and returns Retry-After and the missing dependency', async () => {
    expect(await request('/healthz')).toMatchObject({ status: 200 });
    expect(await request('/readyz')).toMatchObject({ status: 503 });
    expect(await request('/v1/audits')).toMatchObject({
      status: 503,
      retryAfter: '5',
      text: expect.stringMatching(/^The service is not/),
    });
    report = reportOf({ name: 'postgresql', up: false }, { name: 'keystone', up: false });
    expect((await request('/v1/audits')).text).toMatch(/^PostgreSQL and Keystone are not available at the moment/);
    report = reportOf({ name: 'postgresql', up: true });
    expect(await request('/readyz')).toMatchObject({ status: 200 });
  });

  it('returns the versions, which load balancers check', async () => {
    const response = await fetch(`${front.url}/`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      default_version: { status: 'CURRENT', links: [{ href: `${front.url}/v1/` }] },
    });
    expect((await fetch(`${front.url}/`, { method: 'HEAD' })).status).toBe(200);
    expect(await request('/', 'POST')).toMatchObject({ status: 503 });
  });

  it('sends no Retry-After to clients that cannot read it', async () => {
    expect(await request('/v1/audits', 'GET', watcherClient)).toMatchObject({ status: 503, retryAfter: null });
  });

  it('hides the reasons from clients behind a proxy', async () => {
    const text = async (headers: Record<string, string>) => (await fetch(`${front.url}/readyz`, { headers })).text();
    report = reportOf({ name: 'postgresql', up: false });
    expect(await text({})).toContain('database.example:5432');
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via']) {
      expect(await text({ [name]: '127.0.0.1' })).not.toContain('example');
    }
  });
});

describe('with the application', () => {
  beforeEach(async () => {
    const app = fastify();
    installRetryAfter(app);
    installGate(app, gate);
    app.all('/v1/audits', async () => ({}));
    app.all('/internal/services', async () => ({}));
    app.get('/openapi.json', async () => ({}));
    await app.ready();
    front.use(app);
  });

  it('the gate passes all requests while only optional dependencies are unavailable', async () => {
    report = reportOf({ name: 'postgresql', up: true }, { name: 'rabbitmq', required: false, up: false });
    for (const method of ['GET', 'POST'])
      expect(await request('/v1/audits', method)).toMatchObject({ status: 200, warning: null });
  });

  it.each([
    ['postgresql', 'PostgreSQL is not'],
    ['keystone', 'Keystone is not'],
  ])(
    '%s is missing: refused with its name, on both surfaces, except on routes without identity',
    async (name, text) => {
      report = reportOf({ name, up: false });
      for (const path of ['/v1/audits', '/internal/services']) {
        const response = await request(path);
        expect(response).toMatchObject({ status: 503, retryAfter: '5' });
        expect(response.text).toContain(text);
      }
      expect(await request('/v1/audits', 'GET', watcherClient)).toMatchObject({ status: 503, retryAfter: null });
      expect(await request('/openapi.json')).toMatchObject({ status: 200 });
    },
  );

  it('reads continue while the database is read-only', async () => {
    report = reportOf({ name: 'postgresql', up: false, readable: true });
    expect(await request('/v1/audits')).toMatchObject({
      status: 200,
      warning: expect.stringMatching(/^110 .*may be old/),
    });
    expect(await request('/v1/audits', 'POST')).toMatchObject({ status: 503, retryAfter: '5' });
  });

  it('the front server responds again after the application has closed', async () => {
    report = reportOf({ name: 'postgresql', up: true });
    front.use(null);
    expect(await request('/v1/audits')).toMatchObject({ status: 503, retryAfter: '5' });
  });
});
