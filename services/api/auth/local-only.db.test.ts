import { describe, expect, it } from 'vitest';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi({ corsOrigins: ['http://tools.example', '*'] });
const seed = await seedCatalogue(api.store);

const json = { 'content-type': 'application/json' };

async function start(headers: Record<string, string>, payload?: string) {
  const { plan } = await seedPlan(api.store, seed);
  const url = `/v1/action_plans/${plan.uuid}/start`;
  return api.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) });
}

describe('without authentication', () => {
  it.each([
    ['a name that was rebound to this machine', { host: 'evil.example', ...json }],
    ['a name that only begins like this machine', { host: 'localhost.evil.example', ...json }],
    ['a page of another origin', { origin: 'http://evil.example', ...json }],
    ['a page of nowhere', { origin: 'null', ...json }],
    ['a page of another port', { origin: 'http://localhost:1', ...json }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site', ...json }],
    ['a form', { 'content-type': 'text/plain' }],
    ['a form without a body', {}],
  ])('%s starts no plan', async (_what, headers) => {
    const response = await start({ host: 'localhost:80', ...headers } as Record<string, string>);
    expect(fault(response)).toMatchObject({ status: 403, text: expect.stringContaining('Authentication is off') });
  });

  it.each([
    ['JSON', { ...json }],
    ['our header', { 'x-vigil-dashboard': '1' }],
    ['a token', { 'x-auth-token': 'any' }],
    [
      'its own page',
      { ...json, host: 'localhost:9322', origin: 'http://localhost:9322', 'sec-fetch-site': 'same-origin' },
    ],
    ['a page that is permitted by name', { ...json, origin: 'http://tools.example' }],
    ['another name of this machine', { ...json, host: '127.0.0.1:9322' }],
    ['its address of IPv6', { ...json, host: '[::1]:9322' }],
  ])('a request with %s starts one', async (_what, headers) => {
    expect((await start({ host: 'localhost:80', ...headers } as Record<string, string>)).statusCode).toBe(200);
  });

  it('nothing can be read under a foreign name either', async () => {
    for (const path of ['/v1/goals', '/dashboard/', '/metrics', '/']) {
      expect((await api.get(path, { host: 'evil.example' })).statusCode, path).toBe(403);
    }
  });

  it('the public URL is a name of this machine', async () => {
    const named = await useTestApi({ publicUrl: 'https://cloud.example/vigil' });
    expect((await named.get('/v1/goals', { host: 'cloud.example' })).statusCode).toBe(200);
  });
});
