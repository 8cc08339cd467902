import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fault, seedCatalogue, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);

const huge = '9'.repeat(30);

describe('odd requests get a refusal, never a 500', () => {
  it.each([
    ['/v1/goals/%zz', 400],
    ['/v1/goals/%00', 400],
    ['/v1/goals/a%00b', 400],
    ['/v1/goals/9007199254740993', 404],
    [`/v1/goals/${huge}`, 404],
    [`/v1/services/${huge}`, 404],
    [`/v1/services?marker=${huge}`, 404],
    ['/v1/services?marker=9223372036854775808', 404],
    ['/v1/goals?marker=%00', 400],
    ['/v1/audits?goal=%00&strategy=%00', 400],
    ['/v1/goals?sort_key=__proto__', 400],
    ['/v1/goals?sort_key=constructor', 400],
    ['/v1/goals?limit=1&limit=2', 400],
    [`/v1/goals?limit=${huge}`, 200],
    [`/v1/goals/${'a'.repeat(900)}`, 404],
    [`/v1/goals/${'a'.repeat(3000)}`, 404],
    ['/v1/goals/%2e%2e%2f', 404],
    ['/v1/goals/%F0%9F%98%80', 404],
  ])('%.40s', async (path, status) => {
    const response = await api.get(path);
    expect(response.statusCode, response.body).toBe(status);
    if (status !== 200) expect(response.json()).toHaveProperty('error_message');
  });

  it.each(['[', '%', 'x:99999', ':1', 'a b', 'a@b', '[::1', 'x:y', 'a/b'])(
    'a host that is none: "%s"',
    async (host) => {
      for (const path of ['/', '/v1/goals', '/healthz', '/dashboard/session']) {
        const response = await api.get(path, { host });
        expect(response.statusCode, path).toBe(400);
        expect(fault(response).text, path).toBe('The header Host is not a host name');
      }
    },
  );

  it('a host without a name', async () => {
    const url = new URL(await api.listen());
    const socket = connect(Number(url.port), url.hostname);
    socket.end('GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*The header Host is not a host name/);
    // The form of proxies' health checks.
    const old = connect(Number(url.port), url.hostname);
    old.end('GET /healthz HTTP/1.0\r\n\r\n');
    expect(await text(old)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['localhost', '127.0.0.1:9322', '[::1]:9322', 'LOCALHOST:1'])('a host that is one: %s', async (host) => {
    expect((await api.get('/v1/goals', { host })).statusCode).toBe(200);
  });

  it.each([
    { name: 'a\u0000b', goal: 'dummy' },
    { name: 'x', goal: 'a\u0000b' },
    { name: 'x', goal: 'dummy', description: 'a\u0000b' },
    { name: 'x', goal: 'dummy', scope: [{ compute: [{ availability_zones: [{ name: 'a\u0000b' }] }] }] },
    { name: 'x', goal: 'dummy', description: 'd'.repeat(256) },
    { name: 'x', goal: 'dummy', scope: ['text'] },
    { name: 'x', goal: 'dummy', scope: [{}] },
    JSON.parse('{"name": "x", "goal": "dummy", "__proto__": {"a": 1}}'),
  ])('templates %j', async (body) => {
    const response = await api.send('POST', '/v1/audit_templates', body);
    // An invalid scope is the only 500 that clients expect.
    if (Array.isArray(body.scope) && body.scope[0] === 'text') expect(response.statusCode).toBe(500);
    else expect(fault(response).status, response.body).toBe(400);
  });

  it.each([
    { audit_type: 'CONTINUOUS', goal: 'dummy', interval: '9'.repeat(36) },
    { audit_type: 'CONTINUOUS', goal: 'dummy', interval: '9'.repeat(37) },
    { audit_type: 'CONTINUOUS', goal: 'dummy', interval: '60', start_time: '0000-00-00' },
    { audit_type: 'ONESHOT', goal: 'dummy', strategy: 'dummy', parameters: { para2: 'a\u0000b' } },
    { audit_type: 'ONESHOT', goal: 'dummy', name: 'a\u0000b' },
    { audit_type: ['ONESHOT'], goal: 'dummy' },
    { audit_type: 'ONESHOT', goal: { a: 1 } },
  ])('audits %j', async (body) => {
    const response = await api.send('POST', '/v1/audits', body);
    expect(fault(response).status, response.body).toBe(400);
  });

  it('a body that is too large', async () => {
    const response = await api.send('POST', '/v1/audits', { name: 'x'.repeat(1_100_000) });
    expect(fault(response).status).toBe(413);
  });

  it.each([
    ['GET', '/v1/goals/dummy/detail', undefined, 404, 'The goals resource dummy could not be found'],
    ['GET', '/v1/goals/.json', undefined, 404, 'Goal .json could not be found'],
    ['GET', '/v1/audits?limit=x&foo=1', undefined, 400, "invalid literal for int() with base 10: 'x'"],
    ['GET', '/v1/services?marker=-1', undefined, 404, 'The service -1 cannot be found.'],
    ['GET', '/v1/actions/x?foo=1', undefined, 400, 'Expected a uuid but received x'],
    ['POST', '/v1/audits', ' ', 400, 'Request is not in valid JSON format'],
    ['DELETE', '/v1/audits/nope', '[]', 400, 'Request must be a JSON dict'],
    ['DELETE', '/v1/audits/nope', '{', 400, 'Request is not in valid JSON format'],
    ['DELETE', '/v1/audits/nope', '{}', 404, 'Audit nope could not be found'],
    ['POST', '/v1/action_plans/00000000-0000-4000-8000-000000000000/start', '[]', 400, 'Request must be a JSON dict'],
    ['POST', '/v1/audit_templates', '{"name": null}', 400, "attribute goal. Value: 'None'. Mandatory field missing."],
    ['POST', '/v1/audit_templates', '{"name": "x", "goal": null}', 400, 'Goal None is invalid'],
    ['PATCH', '/v1/audits/nope', '[{"op": "add", "path": 5}]', 400, 'Value should be string'],
  ] as const)('%s %s with %s', async (method, url, payload, status, text) => {
    const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
    const response = await api.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    const refusal = fault(response);
    expect(refusal.status, response.body).toBe(status);
    expect(refusal.text).toContain(text);
  });

  it('supports only GET on unknown paths', async () => {
    const response = await api.app.inject({ method: 'POST', url: '/v1/goals/dummy/x' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET');
    expect((await api.get('/v1/goals/dummy/x')).statusCode).toBe(404);
  });

  it('describes a routing fault only to clients that do not request JSON', async () => {
    const description = async (accept: string) =>
      JSON.parse((await api.get('/v1/nothing', { accept })).json().error_message).description;
    expect(await description('application/json')).toBe('');
    expect(await description('*/*')).toBe('The resource could not be found.');
  });

  it('a header that is not a content type', async () => {
    const response = await api.app.inject({
      method: 'POST',
      url: '/v1/audits',
      headers: { 'content-type': ';;;', 'x-vigil-dashboard': '1' },
      payload: '{}',
    });
    expect(fault(response).status).toBe(415);
  });
});
