import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { createMetrics } from './create-metrics.ts';
import { startHealthServer } from './health-server.ts';
import { createReadiness } from './readiness.ts';

const parts = () => ({
  readiness: createReadiness(),
  metrics: createMetrics('test'),
  answers: new Map([['/internal/status', async () => ({ config: 'shown' })]]),
});
const outward = Object.values(networkInterfaces())
  .flat()
  .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')?.address;
const status = async (address: string, path: string) => {
  const response = await fetch(`http://${address}${path}`);
  return { status: response.status, body: await response.text() };
};

test('listens on loopback by default', async () => {
  const health = await startHealthServer({ port: 0 }, parts());
  expect((await status(`127.0.0.1:${health.port}`, '/healthz')).status).toBe(200);
  if (outward) await expect(status(`${outward}:${health.port}`, '/healthz')).rejects.toThrow();
  await health.stop();
});

test.runIf(outward !== undefined)(
  'shows health and metrics to remote callers, and everything on the same machine',
  async () => {
    const health = await startHealthServer({ port: 0, host: '0.0.0.0' }, parts());
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await status(`${outward}:${health.port}`, path)).status).toBe(200);
    const refused = await status(`${outward}:${health.port}`, '/internal/status');
    expect(refused.status).toBe(404);
    expect(refused.body).not.toContain('internal');
    expect((await status(`127.0.0.1:${health.port}`, '/internal/status')).body).toContain('shown');
    await health.stop();
  },
);

test('requires the token of the metrics when one is set', async () => {
  const health = await startHealthServer({ port: 0 }, { ...parts(), metricsToken: 's3cret' });
  const request = (headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${health.port}/metrics`, { headers }).then((response) => response.status);
  expect(await request()).toBe(401);
  expect(await request({ authorization: 'Bearer other' })).toBe(401);
  expect(await request({ authorization: 'bearer s3cret' })).toBe(200);
  expect((await status(`127.0.0.1:${health.port}`, '/readyz')).status).toBe(200);
  await health.stop();
});

test('says which key is wrong when it cannot listen', async () => {
  const health = await startHealthServer({ port: 0 }, parts());
  await expect(startHealthServer({ port: health.port }, parts())).rejects.toThrow('(VIGIL_HEALTH_PORT) is in use');
  await health.stop();
  await expect(startHealthServer({ port: 0, host: '192.0.2.1' }, parts())).rejects.toThrow(
    '192.0.2.1 (VIGIL_HEALTH_HOST) is not an address of this machine',
  );
});

test('shows the reason why it is not ready on the same machine only', async () => {
  const all = parts();
  all.readiness.add('store', async () => {
    throw new Error('connect ECONNREFUSED db.example:5432 (vigil)');
  });
  const health = await startHealthServer({ port: 0, host: '0.0.0.0' }, all);
  const request = async (address: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://${address}:${health.port}/readyz`, { headers });
    return { status: response.status, body: await response.text() };
  };
  expect(await request('127.0.0.1')).toMatchObject({ status: 503, body: expect.stringContaining('db.example:5432') });
  const strangers = [await request('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })];
  if (outward) strangers.push(await request(outward));
  for (const { status, body } of strangers) {
    expect(status).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ ready: false, checks: [{ name: 'store', ok: false }] });
    expect(body).not.toMatch(/db\.example|5432|vigil\)/);
  }
  await health.stop();
});
