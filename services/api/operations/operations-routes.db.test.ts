import fastify from 'fastify';
import { expect, it } from 'vitest';
import { createMetrics, createReadiness } from '#libs/service-kit';
import { useTestApi } from '../testing/test-api.ts';
import { registerOperationsRoutes } from './operations-routes.ts';

const metrics = createMetrics('test');
const api = await useTestApi({ metrics });

it('readyz shows remote clients that it is not ready, and only local ones the reason', async () => {
  const readiness = createReadiness();
  readiness.add('store', async () => {
    throw new Error('cannot reach db.example:5432 (vigil)');
  });
  const app = fastify();
  registerOperationsRoutes(app, { readiness, metrics: createMetrics('test') });
  const request = (remoteAddress: string, headers = {}) => app.inject({ url: '/readyz', remoteAddress, headers });
  expect((await request('127.0.0.1')).json().checks).toMatchObject([
    { reason: expect.stringContaining('db.example:5432') },
  ]);
  for (const response of [await request('192.0.2.7'), await request('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })]) {
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ ready: false, checks: [{ name: 'store', ok: false }] });
    expect(response.body).not.toMatch(/db\.example|5432|vigil/);
  }
  await app.close();
});

it('metrics require the token when one is configured', async () => {
  const app = fastify();
  registerOperationsRoutes(app, {
    readiness: createReadiness(),
    metrics: createMetrics('test'),
    metricsToken: 's3cret',
  });
  const request = (authorization?: string) =>
    app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
  for (const wrong of [undefined, 'Bearer', 'Bearer s3cre', 'Basic s3cret', 's3cret']) {
    const refused = await request(wrong);
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"']);
    expect(refused.body).not.toContain('process_');
  }
  expect((await request('Bearer s3cret')).body).toContain('process_');
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await app.close();
});

it('serves health, readiness, metrics and documentation', async () => {
  expect((await api.get('/healthz')).json()).toEqual({ status: 'ok' });
  const health = await api.get('/healthcheck');
  expect([health.statusCode, health.headers['content-type'], health.body]).toEqual([
    200,
    'text/plain; charset=UTF-8',
    'OK',
  ]);
  expect((await api.get('/healthcheck', { accept: 'application/json' })).json()).toEqual({
    detailed: false,
    reasons: ['OK'],
  });
  const head = await api.app.inject({ method: 'HEAD', url: '/healthcheck' });
  expect([head.statusCode, head.body]).toEqual([204, '']);
  expect((await api.get('/readyz')).statusCode).toBe(200);
  expect((await api.get('/metrics')).body).toContain('vigil_api_request_seconds_bucket');
  expect((await api.get('/openapi.json')).json().openapi).toBe('3.1.0');
  expect((await api.get('/docs')).statusCode).toBeLessThan(400);
  expect((await api.get('/docs/json')).statusCode).toBe(200);
  const page = await api.get('/docs/');
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/);
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
});

it('refusals of a route share a series, and unknown routes share one', async () => {
  const refusals = [
    () => api.get('/v1/goals/nothing'),
    () => api.get('/v1/goals/nothing?unknown=1'),
    () => api.get('/v1/goals/nothing', { 'OpenStack-API-Version': 'infra-optim 9.9' }),
    () => api.app.inject({ method: 'PUT', url: '/nowhere' }),
    () => api.app.inject({ method: 'DELETE', url: '/nowhere/else' }),
  ];
  const statuses = new Set<number>();
  for (const refused of refusals) statuses.add((await refused()).statusCode);
  expect(statuses.size).toBeGreaterThan(2);
  const series = async (label: string) => {
    const { body } = await metrics.expose();
    return body
      .split('\n')
      .filter((line) => line.startsWith('vigil_api_request_seconds_count{') && line.includes(label));
  };
  expect(await series('route="/v1/goals/:ident"')).toHaveLength(1);
  expect(await series('route="none"')).toHaveLength(1);
  expect((await metrics.expose()).body).toMatch(/vigil_api_refusals_total\{status="404",service="test"\} \d/);
});
