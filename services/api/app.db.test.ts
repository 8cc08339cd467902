import { describe, expect, it } from 'vitest';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from './testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

describe('discovery', () => {
  it('describes itself at the root', async () => {
    const response = await api.get('/');
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-openstack-request-id']).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(response.headers).not.toHaveProperty('openstack-api-version');
    const body = response.json();
    expect(Object.keys(body).sort()).toEqual(['default_version', 'description', 'name', 'versions']);
    expect(body.versions).toEqual([body.default_version]);
    expect(body.default_version).toEqual({
      id: 'v1',
      status: 'CURRENT',
      min_version: '1.0',
      max_version: '1.7',
      links: [{ href: 'http://localhost:80/v1/', rel: 'self' }],
    });
  });

  const base = [
    'action_plans',
    'actions',
    'audit_templates',
    'audits',
    'id',
    'links',
    'media_types',
    'scoring_engines',
    'services',
  ];
  it.each([
    [2, base],
    [3, [...base, 'data_model']],
    [4, [...base, 'data_model', 'webhooks']],
  ])('lists the collections of 1.%i', async (minor, keys) => {
    const response = await api.get('/v1/', at(minor));
    expect(Object.keys(response.json()).sort()).toEqual([...keys].sort());
    expect(response.json().audits[1]).toEqual({ href: 'http://localhost:80/audits/', rel: 'bookmark' });
  });
});

describe('microversions', () => {
  it.each([
    [undefined, '1.0'],
    ['infra-optim latest', '1.7'],
    ['infra-optim 1', '1.0'],
    ['infra-optim 1.4', '1.4'],
    ['INFRA-OPTIM 1.07', '1.7'],
    ['infra-optim abc', '1.0'],
    ['infra-optim 1.4 x', '1.0'],
    ['1.4', '1.0'],
    ['infra-optim 1.3, compute 2.1, infra-optim 1.5', '1.5'],
  ])('takes %s for %s', async (header, version) => {
    const response = await api.get('/v1/goals', header === undefined ? {} : { 'OpenStack-API-Version': header });
    expect(response.statusCode).toBe(200);
    expect(response.headers['openstack-api-version']).toBe(`infra-optim ${version}`);
    expect(response.headers['openstack-api-minimum-version']).toBe('1.0');
    expect(response.headers['openstack-api-maximum-version']).toBe('1.7');
    expect(response.headers.vary).toBe('OpenStack-API-Version');
  });

  it.each([
    ['infra-optim 10', 'Invalid value for OpenStack-API-Version header', false],
    ['infra-optim 1.2.3', 'Invalid value for OpenStack-API-Version header', false],
    [
      'infra-optim 2.0',
      'Mutually exclusive versions requested. Version 2.0 requested but not supported by this service. The supported version range is: [1.0, 1.7].',
      true,
    ],
    [
      'infra-optim -1.0',
      'Mutually exclusive versions requested. Version -1.0 requested but not supported by this service. The supported version range is: [1.0, 1.7].',
      true,
    ],
    [
      'infra-optim 1.999',
      'Version 1.999 was requested but the minor version is not supported by this service. The supported version range is: [1.0, 1.7].',
      true,
    ],
  ])('refuses %s', async (header, text, withHeaders) => {
    const response = await api.get('/v1/goals', { 'OpenStack-API-Version': header });
    expect(response.statusCode).toBe(406);
    const inner = JSON.parse(response.json().error_message);
    expect(inner).toEqual({ code: 406, title: 'Not Acceptable', description: text });
    expect('openstack-api-maximum-version' in response.headers).toBe(withHeaders);
  });
});

describe('paths and methods', () => {
  it.each([
    '/v1/goals/',
    '/v1/goals/?limit=5',
    '//v1/goals',
    '/v1//goals',
    '/goals',
    '/v1/goals.json',
    '/v1/goals/detail/',
    '/v1/goals/dummy.json',
    '/v1/goals/1',
  ])('serves %s', async (path) => {
    expect((await api.get(path)).statusCode).toBe(200);
  });

  it.each(['/v2', '/v1/bad', '/bad/path', '/v1/goals/dummy/foo', '/v1/audits/x/actions'])('has no %s', async (path) => {
    const response = await api.get(path);
    expect(response.statusCode).toBe(404);
    expect(JSON.parse(response.json().error_message)).toMatchObject({ code: 404, title: 'Not Found' });
    expect(response.headers).not.toHaveProperty('openstack-api-version');
  });

  it('returns 405 with Allow for a method that a resource does not have', async () => {
    const response = await api.send('DELETE', `/v1/goals/${seed.dummyGoal.uuid}`);
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET');
    const head = await api.app.inject({ method: 'HEAD', url: '/v1/goals' });
    expect([head.statusCode, head.body]).toEqual([405, '']);
    expect((await api.send('POST', '/v1/action_plans', {})).statusCode).toBe(405);
  });

  it('returns an empty response to OPTIONS', async () => {
    const response = await api.app.inject({ method: 'OPTIONS', url: '/v1/goals' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });

  it.each([
    ['DELETE', '/v1/audits', 'Missing argument: "audit"'],
    ['DELETE', '/v1/audit_templates', 'Missing argument: "audit_template"'],
    ['POST', '/v1/action_plans/start', 'Missing argument: "action_plan_uuid"'],
  ] as const)('%s %s lacks an argument', async (method, path, text) => {
    expect(fault(await api.send(method, path))).toEqual({ status: 400, text });
  });
});

describe('bodies', () => {
  const post = (type: string | undefined, payload: string) =>
    api.app.inject({
      method: 'POST',
      url: '/v1/audits',
      headers: { 'x-vigil-dashboard': '1', ...(type === undefined ? {} : { 'content-type': type }) },
      payload,
    });

  it.each(['application/json-patch+json', 'text/plain', 'application/octet-stream', 'application/JSON'])(
    'refuses %s',
    async (type) => {
      expect(fault(await post(type, '{}'))).toEqual({ status: 415, text: `Unknown mimetype: ${type}` });
    },
  );

  it('accepts a charset and javascript types', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/javascript']) {
      expect(fault(await post(type, '{"audit_type": null}'))).toEqual({
        status: 400,
        text: 'Audit type None could not be found',
      });
    }
  });

  it('distinguishes empty, broken and form bodies', async () => {
    expect(fault(await post('application/json', ''))).toEqual({ status: 400, text: 'Missing argument: "audit_p"' });
    expect(fault(await post('application/json', '{'))).toEqual({
      status: 400,
      text: 'Request is not in valid JSON format',
    });
    expect(fault(await post('application/x-www-form-urlencoded', 'goal=x'))).toEqual({
      status: 400,
      text: 'Unknown argument: "goal"',
    });
    expect(fault(await post('application/json', '[]')).status).toBe(400);
    expect(fault(await post('application/json', 'null')).status).toBe(400);
  });
});

describe('lists', () => {
  it('pages, and repeats the filters in next', async () => {
    const first = await api.get('/v1/strategies?limit=1&goal=dummy&sort_key=name&sort_dir=desc');
    expect(first.json().strategies.map((entry: { name: string }) => entry.name)).toEqual(['free']);
    expect(first.json().next).toBe(
      `http://localhost:80/v1/strategies?sort_key=name&sort_dir=desc&limit=1&marker=${seed.free.uuid}&goal=dummy`,
    );
    const second = await api.get(new URL(first.json().next).pathname + new URL(first.json().next).search);
    expect(second.json().strategies.map((entry: { name: string }) => entry.name)).toEqual(['dummy']);
    const third = await api.get(new URL(second.json().next).pathname + new URL(second.json().next).search);
    expect(third.json()).toEqual({ strategies: [] });
  });

  it.each([
    ['/v1/goals?limit=0', 'Limit must be positive'],
    ['/v1/goals?limit=-1', 'Limit must be positive'],
    [
      '/v1/goals?limit=x',
      "Invalid input for field/attribute limit. Value: 'x'. unable to convert to int. Error: invalid literal for int() with base 10: 'x'",
    ],
    ['/v1/goals?sort_dir=up', "Invalid sort direction: up. Acceptable values are 'asc' or 'desc'"],
    ['/v1/goals?sort_key=bad', 'Invalid sort key: bad'],
    ['/v1/audits?sort_key=goal', 'Invalid sort key: goal'],
    ['/v1/goals?nope=1', 'Unknown argument: "nope"'],
    ['/v1/goals/dummy?nope=1&other=2', 'Unknown argument: "nope, other"'],
    [
      '/v1/audits?marker=x',
      "Invalid input for field/attribute marker. Value: 'x'. unable to convert to uuid. Error: Expected a uuid but received x",
    ],
  ])('refuses %s', async (path, text) => {
    expect(fault(await api.get(path))).toEqual({ status: 400, text });
  });

  it('does not find an unknown marker', async () => {
    expect(fault(await api.get('/v1/goals?marker=nope'))).toEqual({
      status: 404,
      text: 'Goal nope could not be found',
    });
  });

  it('returns an empty list for an unknown filter value', async () => {
    expect((await api.get('/v1/audits?goal=nope&strategy=nope')).json()).toEqual({ audits: [] });
  });
});

describe('policies', () => {
  it.each(['/v1/goals', '/v1/audits/detail', '/v1/services'])('refuses %s to others', async (path) => {
    const response = await api.get(path, { 'X-Roles': 'member,reader' });
    expect(response.statusCode).toBe(403);
  });
  it('names the rule', async () => {
    const { plan } = await seedPlan(api.store, seed);
    const response = await api.send('POST', `/v1/action_plans/${plan.uuid}/start`, {}, { 'X-Roles': 'member' });
    expect(fault(response)).toEqual({
      status: 403,
      text: "Policy doesn't allow action_plan:start to be performed.",
    });
  });
  it('compares roles without case', async () => {
    expect((await api.get('/v1/goals', { 'X-Roles': 'Admin' })).statusCode).toBe(200);
  });
});

describe('catalogue', () => {
  it('shows a goal with exactly its keys', async () => {
    const single = await api.get('/v1/goals/dummy');
    expect(Object.keys(single.json()).sort()).toEqual([
      'created_at',
      'deleted_at',
      'display_name',
      'efficacy_specification',
      'links',
      'name',
      'updated_at',
      'uuid',
    ]);
    expect(single.json().links).toEqual([
      { href: `http://localhost:80/v1/goals/${seed.dummyGoal.uuid}`, rel: 'self' },
      { href: `http://localhost:80/goals/${seed.dummyGoal.uuid}`, rel: 'bookmark' },
    ]);
    const list = await api.get('/v1/goals');
    expect(Object.keys(list.json().goals[0]).sort()).toEqual([
      'display_name',
      'efficacy_specification',
      'links',
      'name',
      'uuid',
    ]);
    expect(single.json().created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);
  });

  it('shows a strategy, in lists without its parameters, never with timestamps', async () => {
    const single = await api.get(`/v1/strategies/${seed.dummy.uuid.toUpperCase()}`);
    expect(Object.keys(single.json()).sort()).toEqual([
      'display_name',
      'goal_name',
      'goal_uuid',
      'links',
      'name',
      'parameters_spec',
      'uuid',
    ]);
    const list = await api.get(`/v1/strategies?goal=${seed.otherGoal.uuid}`);
    expect(list.json().strategies).toHaveLength(1);
    expect(list.json().strategies[0]).not.toHaveProperty('parameters_spec');
  });

  it('finds names in upper and lower case', async () => {
    expect((await api.get('/v1/goals/DUMMY')).json().uuid).toBe(seed.dummyGoal.uuid);
  });

  it('does not find the unknown', async () => {
    expect(fault(await api.get('/v1/goals/nope'))).toEqual({ status: 404, text: 'Goal nope could not be found' });
    expect(fault(await api.get('/v1/services/nope'))).toEqual({
      status: 404,
      text: 'The service nope cannot be found.',
    });
    expect(fault(await api.get('/v1/scoring_engines/nope'))).toEqual({
      status: 404,
      text: 'ScoringEngine nope could not be found',
    });
  });

  it('shows services by id and name', async () => {
    await api.store.db.services.beat('watcher-applier', 'host-1');
    const byName = await api.get('/v1/services/watcher-applier');
    expect(Object.keys(byName.json()).sort()).toEqual([
      'created_at',
      'deleted_at',
      'host',
      'id',
      'last_seen_up',
      'links',
      'name',
      'status',
      'updated_at',
    ]);
    expect(byName.json()).toMatchObject({ status: 'ACTIVE', host: 'host-1', deleted_at: null });
    expect(byName.json().last_seen_up).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/);
    const byId = await api.get(`/v1/services/${byName.json().id}`);
    expect(byId.json()).toEqual(byName.json());
    const list = await api.get('/v1/services?sort_key=name');
    expect(Object.keys(list.json().services[0]).sort()).toEqual(['host', 'id', 'links', 'name', 'status']);

    await api.store.db.recovery.prune(-3600);
    const { id } = byName.json();
    expect((await api.get('/v1/services')).json()).toEqual({ services: [] });
    expect((await api.get(`/v1/services/${id}`)).statusCode).toBe(404);
    const shown = { 'X-Show-Deleted': 'true' };
    expect((await api.get('/v1/services?sort_key=deleted_at', shown)).json().services).toMatchObject([{ id }]);
    expect((await api.get(`/v1/services/${id}`, shown)).json()).toMatchObject({ id, deleted_at: expect.any(String) });
  });
});
