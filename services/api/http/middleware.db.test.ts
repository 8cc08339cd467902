import { describe, expect, it } from 'vitest';
import type { Logger } from '#libs/domain';
import type { IdentityPort } from '#libs/openstack';
import { routeLimits } from '../env.ts';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';

const lines: Record<string, unknown>[] = [];
function collecting(bound: Record<string, unknown>): Logger {
  const write = (fields: object, message: string) => lines.push({ ...bound, ...fields, message });
  return { debug: write, info: write, warn: write, error: write, child: (more) => collecting({ ...bound, ...more }) };
}

/** Knows the tokens `a` and `b`, of one administrator. */
let validations = 0;
const identity: IdentityPort = {
  token: async () => 'own',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async () => null,
  projects: async () => [],
  revoke: async () => undefined,
  async validate(token) {
    validations += 1;
    if (token !== 'a' && token !== 'b') return null;
    const user = { userId: 'u', userName: 'u', projectId: 'p', projectName: 'p', domainId: null };
    return { ...user, roles: ['admin'], expiresAt: '2999-01-01T00:00:00Z' };
  },
};
const keystone = { authMode: 'keystone', identity } as const;

let now = 0;
const api = await useTestApi({
  corsOrigins: ['http://dashboard'],
  proxyHeaders: true,
  webhooksAuth: false,
  logger: collecting({}),
});
const seed = await seedCatalogue(api.store);
const limited = await useTestApi({
  ...keystone,
  rates: { perMinute: 3 },
  proxyHeaders: true,
  clock: { now: () => now },
  publicUrl: 'https://cloud.example/infra-optim/',
});

const preflightHeaders = { 'Access-Control-Request-Method': 'POST' };

describe('cross-origin requests', () => {
  const preflight = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'x-auth-token, Accept',
  };
  const request = (headers: Record<string, string>) =>
    api.app.inject({ method: 'OPTIONS', url: '/v1/audits', headers: { origin: 'http://dashboard', ...headers } });

  it('of permitted origins get the CORS headers', async () => {
    const response = await api.get('/v1/goals', { Origin: 'http://dashboard' });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'http://dashboard',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('X-OpenStack-Request-ID'),
      vary: 'Origin, OpenStack-API-Version',
    });
    const allowed = await request(preflight);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'x-auth-token,Accept',
      'access-control-max-age': '3600',
    });
  });

  it.each([
    { ...preflight, origin: 'http://evil' },
    { ...preflight, 'Access-Control-Request-Method': 'TRACE' },
    { ...preflight, 'Access-Control-Request-Headers': 'x-evil' },
  ])('without permission: %j', async (headers) => {
    const response = await request(headers as Record<string, string>);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('permission for every origin', () => {
  it('is without credentials, and never for sessions of the dashboard', async () => {
    const open = await useTestApi({ ...keystone, corsOrigins: ['*'] });
    const response = await open.get('/v1/goals', { Origin: 'http://evil', 'X-Auth-Token': 'a' });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const path of ['/dashboard/session', '/dashboard/%73ession', '//dashboard/session', '/metrics']) {
      const session = await open.get(path, { Origin: 'http://evil' });
      expect(session.headers, path).not.toHaveProperty('access-control-allow-origin');
      const response = await open.app.inject({
        method: 'OPTIONS',
        url: path,
        headers: { origin: 'http://evil', ...preflightHeaders },
      });
      expect(response.headers, path).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('generated URLs', () => {
  const selfOf = async (headers: Record<string, string>) =>
    (await api.get('/', headers)).json().versions[0].links[0].href;

  it.each([
    [
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'c.example', 'X-Forwarded-Prefix': '/opt/' },
      'https://c.example/opt/v1/',
    ],
    [{ Forwarded: 'for=1.2.3.4;proto=https;host="c.example:8443", for=5.6.7.8' }, 'https://c.example:8443/v1/'],
    [
      { 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': 'x:99999', 'X-Forwarded-Prefix': 'x' },
      'http://localhost:80/v1/',
    ],
    [{}, 'http://localhost:80/v1/'],
  ])('follow the proxy: %j', async (headers, expected) => {
    expect(await selfOf(headers as Record<string, string>)).toBe(expected);
  });

  it('have no prefix in object links, and a configured URL counts for more than headers', async () => {
    const goal = await api.get('/v1/goals/dummy', { 'X-Forwarded-Host': 'c', 'X-Forwarded-Prefix': '/opt' });
    expect(goal.json().links[0].href).toBe(`http://c/v1/goals/${seed.dummyGoal.uuid}`);
    const root = await limited.get('/infra-optim/', { 'X-Forwarded-Host': 'evil' });
    expect(root.json().versions[0].links[0].href).toBe('https://cloud.example/infra-optim/v1/');
    const docs = await limited.get('/infra-optim/docs');
    expect(docs.body).toContain('src="/infra-optim/docs/static/swagger-ui-bundle.js"');
    expect((await limited.get('/infra-optim/docs/static/swagger-ui.css')).statusCode).toBe(200);
  });
});

describe('the rate limit', () => {
  it('is kept by token and refills', async () => {
    const request = async (token: string) =>
      (await limited.get('/infra-optim/v1/goals', { 'X-Auth-Token': token })).statusCode;
    expect([
      await request('a'),
      await request('a'),
      await request('a'),
      await request('a'),
      await request('b'),
    ]).toEqual([200, 200, 200, 429, 200]);
    const refused = await limited.get('/v1/goals', { 'X-Auth-Token': 'a' });
    expect(fault(refused)).toEqual({ status: 429, text: 'Too many requests; try again later' });
    expect(refused.headers['retry-after']).toBe('20');
    now += 20_000;
    expect([await request('a'), await request('a')]).toEqual([200, 429]);
    expect((await limited.get('/')).statusCode).toBe(200);
  });

  it('without a token is limited by the address that the trusted proxy names, and not by claims of the client', async () => {
    const request = async (client: string, said = '') =>
      (await limited.get('/v1/goals', { 'X-Forwarded-For': `${said}${client}` })).statusCode;
    const attempts = [
      await request('10.1.1.1', '1.1.1.1, '),
      await request('10.1.1.1'),
      await request('10.1.1.1', '2.2.2.2, '),
    ];
    expect([...attempts, await request('10.1.1.1', '3.3.3.3, '), await request('10.1.1.2')]).toEqual([
      401, 401, 401, 429, 401,
    ]);
  });

  it('counts invented tokens and sessions by address before Keystone is called, but not valid ones', async () => {
    const request = async (headers: Record<string, string>) =>
      (await limited.get('/v1/goals', { 'X-Forwarded-For': '10.2.2.2', ...headers })).statusCode;
    now += 60_000;
    const session = { Cookie: `vigil_session=${'x'.repeat(43)}` };
    expect([
      await request({ 'X-Auth-Token': 'x1' }),
      await request(session),
      await request({ 'X-Auth-Token': 'b' }),
    ]).toEqual([401, 401, 200]);
    const before = validations;
    expect([
      await request({ 'X-Auth-Token': 'x2' }),
      await request({ 'X-Auth-Token': 'x3' }),
      await request(session),
    ]).toEqual([401, 429, 429]);
    expect(validations - before).toBe(1);
    expect(await request({ 'X-Auth-Token': 'b' })).toBe(200);
  });
});

describe('unknown tokens', () => {
  it('are limited by address, unlike valid ones and those that Keystone was unavailable for', async () => {
    const state = { isAway: false };
    const own = await useTestApi({
      authMode: 'keystone',
      identity: {
        ...identity,
        validate: (token, options) =>
          state.isAway ? Promise.reject(new Error('away')) : identity.validate(token, options),
      },
      rates: { unknownTokensPerMinute: 3 },
      clock: { now: () => now },
    });
    const request = (token: string) => own.get('/v1/goals', { 'X-Auth-Token': token });
    state.isAway = true;
    for (let round = 0; round < 10; round += 1) expect((await request(`y${round}`)).statusCode).toBe(503);
    state.isAway = false;
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await request(`x${round}`)).statusCode);
    expect(statuses).toEqual([401, 401, 401]);
    const refused = await request('x4');
    expect(fault(refused)).toMatchObject({ status: 429 });
    expect(refused.headers['retry-after']).toBe('20');
    now += 20_000;
    expect((await request('a')).statusCode).toBe(200);
    expect((await request('x5')).statusCode).toBe(401);
    expect([(await request('x6')).statusCode, (await request('a')).statusCode]).toEqual([429, 200]);
  });
});

describe('the limit of a route', () => {
  it('is kept in addition to the common limit, by token', async () => {
    const audits = new Map([['GET /v1/audits/:ident', 1]]);
    const own = await useTestApi({
      ...keystone,
      clock: { now: () => now },
      routeLimits: audits,
    });
    const request = async (path: string, token = 'a') => (await own.get(path, { 'X-Auth-Token': token })).statusCode;
    expect([await request('/v1/audits/x'), await request('/v1/audits/y'), await request('/v1/audits/x', 'b')]).toEqual([
      404, 429, 404,
    ]);
    expect([await request('/v1/audits'), await request('/v1/audits')]).toEqual([200, 200]);
    // No proxy is trusted here, so a client gains nothing by forged address headers.
    const says = async (address: string) => (await own.get('/v1/audits/x', { 'X-Forwarded-For': address })).statusCode;
    expect([await says('10.1.1.1'), await says('10.1.1.2')]).toEqual([401, 429]);
    now += 60_000;
    expect(await request('/v1/audits/x')).toBe(404);
  });

  it('is refused for a route that there is not, or that cannot be read', async () => {
    const missing = new Map([['POST /v1/nothing', 1]]);
    const starting = useTestApi({ routeLimits: missing });
    await expect(starting.then((started) => started.get('/'))).rejects.toThrow('unknown route POST /v1/nothing');
    const key = routeLimits({ description: '' });
    expect(key.parse('POST /v1/audits=30, GET /v1/actions=5')).toEqual(
      new Map([
        ['POST /v1/audits', 30],
        ['GET /v1/actions', 5],
      ]),
    );
    expect(() => key.parse('POST /v1/audits')).toThrow('must be like "POST /v1/audits=30", not "POST /v1/audits"');
  });
});

describe('content negotiation', () => {
  it.each([
    [undefined, 200],
    ['', 200],
    ['*/*', 200],
    ['application/json', 200],
    ['text/html, application/*;q=0.5', 200],
    ['text/html', 406],
    ['application/json;q=0', 406],
  ])('Accept %s: %i', async (accept, status) => {
    const response = await api.get('/v1/goals', accept === undefined ? {} : { accept });
    expect(response.statusCode).toBe(status);
    if (status === 406) expect(JSON.parse(response.json().error_message)).toMatchObject({ code: 406 });
  });
});

describe('methods and paths that Watcher does not have', () => {
  it.each([
    ['HEAD', '/v1/goals', 405],
    ['HEAD', '/v1/nothing', 405],
    ['GET', '/v1/data_model/detail', 405],
    ['GET', '/v1/webhooks', 405],
    ['POST', '/v1/action_plans', 405],
    ['PUT', '/v1/audits/x', 405],
    ['OPTIONS', '/v1/goals', 200],
  ] as const)('%s %s: %i', async (method, url, status) => {
    const response = await api.app.inject({ method, url });
    expect(response.statusCode).toBe(status);
    if (status === 405) expect(response.headers).toHaveProperty('allow');
    expect(response.headers).not.toHaveProperty('openstack-api-version');
  });

  it('GET of a start is 404', async () => {
    const { plan } = await seedPlan(api.store, seed);
    expect((await api.get(`/v1/action_plans/${plan.uuid}/start`)).statusCode).toBe(404);
  });

  it.each([
    ['PATCH', '/v1/audits', 'audit'],
    ['PATCH', '/v1/audit_templates', 'audit_template'],
    ['PATCH', '/v1/action_plans', 'action_plan_uuid'],
    ['PATCH', '/v1/actions', 'action_uuid'],
  ] as const)('%s %s names the missing argument', async (method, path, argument) => {
    expect(fault(await api.send(method, path, []))).toEqual({ status: 400, text: `Missing argument: "${argument}"` });
  });
});

describe('order of checks', () => {
  const member = { 'X-Roles': 'member' };
  it.each([
    ['/v1/goals?x=1', 400],
    ['/v1/audits?marker=x', 400],
    ['/v1/actions?audit_uuid=x', 400],
    ['/v1/goals?limit=x', 400],
    ['/v1/action_plans/x', 400],
    ['/v1/goals?sort_key=x', 403],
    ['/v1/goals?limit=0', 403],
    ['/v1/goals/nope', 403],
  ])('%s of a member: %i', async (path, status) => {
    expect((await api.get(path, member)).statusCode).toBe(status);
  });

  it('filters that exclude each other come before the sort key', async () => {
    const uuid = seed.dummy.uuid;
    const refused = fault(await api.get(`/v1/actions?audit_uuid=${uuid}&action_plan_uuid=${uuid}&sort_key=x`));
    expect(refused.text).toBe('Filtering actions on both audit and action-plan is prohibited');
  });
});

describe('the audit log', () => {
  it('records callers and operations, refusals included', async () => {
    lines.length = 0;
    const who = {
      'X-User-Id': 'u1',
      'X-User-Name': 'ann',
      'X-Project-Id': 'p1',
      'X-Openstack-Request-Id': 'req-00000000-0000-4000-8000-000000000000',
    };
    const created = await api.send('POST', '/v1/audit_templates', { name: 'logged', goal: 'dummy' }, who);
    await api.send('DELETE', '/v1/audit_templates/logged', undefined, { 'X-Roles': 'member', 'X-User-Id': 'u2' });
    await api.get('/v1/goals', who);
    const logged = lines.filter((line) => line.log === 'audit');
    expect(logged).toMatchObject([
      {
        message: 'change requested',
        userId: 'u1',
        userName: 'ann',
        projectId: 'p1',
        roles: ['admin'],
        action: 'create_audit_template',
        object: created.json().uuid,
        status: 201,
        requestId: created.headers['x-openstack-request-id'],
        globalRequestId: who['X-Openstack-Request-Id'],
      },
      { userId: 'u2', roles: ['member'], action: 'delete_audit_template', object: 'logged', status: 403 },
    ]);
  });
});

describe('webhooks without authentication', () => {
  it('need no role', async () => {
    await api.send('POST', '/v1/audits', { audit_type: 'EVENT', goal: 'dummy', name: 'open' }, at(7));
    const response = await api.send('POST', '/v1/webhooks/open', {}, { 'X-Roles': 'member' });
    expect(response.statusCode).toBe(202);
  });
});
