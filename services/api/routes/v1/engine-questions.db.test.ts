import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NobodyAnswersError } from '#libs/messaging';
import { createTestDatabase } from '#libs/testing';
import { createFakeEngine, smallModel, usualAnswers } from '../../testing/fake-engine.ts';
import { at, fault, type Seed, seedCatalogue, seedPlan, startTestApi, type TestApi } from '../../testing/test-api.ts';

const answers = { ...usualAnswers };
const engine = createFakeEngine(answers);
const member = { 'X-Roles': 'member' };
const unknown = '00000000-0000-4000-8000-000000000000';
let api: TestApi;
let seed: Seed;

beforeAll(async () => {
  api = await startTestApi(await createTestDatabase(), { bus: engine });
  seed = await seedCatalogue(api.store);
});
afterAll(() => api.close());

const lastQuestion = () => engine.asked.at(-1);

describe('GET /v1/data_model', () => {
  const nodeKeys = 14;
  it.each([
    [3, nodeKeys + 10],
    [5, nodeKeys + 10],
    [6, nodeKeys + 12],
    [7, nodeKeys + 12],
  ])('at 1.%i shows the fields of that version and no others', async (minor, keys) => {
    const response = await api.get('/v1/data_model', at(minor));
    expect(response.statusCode).toBe(200);
    const [server, node] = response.json().context;
    expect([Object.keys(server).length, Object.keys(node).length]).toEqual([keys, nodeKeys]);
    expect(server).toMatchObject({ node_hostname: 'h1', server_uuid: 's1', server_metadata: { a: 'b' } });
    expect(response.body).not.toContain('not for clients');
  });

  it('asks for the scope of an audit', async () => {
    const { audit } = await seedPlan(api.store, seed);
    await api.get(`/v1/data_model/?audit_uuid=${audit.uuid}&data_model_type=compute`, at(3));
    expect(lastQuestion()).toEqual({
      topic: 'model.get',
      question: { data_model_type: 'compute', audit: audit.uuid },
    });
  });

  it.each([
    ['', at(2), 406, 'Request not acceptable.'],
    ['?data_model_type=storage', at(2), 406, 'Request not acceptable.'],
    ['?data_model_type=storage', at(3), 404, 'The storage data model could not be found'],
    ['?data_model_type=storage', { ...at(3), ...member }, 404, 'The storage data model could not be found'],
    ['', { ...at(3), ...member }, 403, "Policy doesn't allow data_model:get_all to be performed."],
    ['?x=1', at(2), 400, 'Unknown argument: "x"'],
  ])('refuses %s with %j', async (query, headers, status, text) => {
    expect(fault(await api.get(`/v1/data_model${query}`, headers))).toEqual({ status, text });
  });

  it('has no paths below it', async () => {
    expect((await api.get('/v1/data_model/detail', at(3))).statusCode).toBe(405);
  });

  it('says that an audit does not exist, and that the engine is away', async () => {
    answers['model.get'] = { error: { code: 'audit_not_found', message: 'internal words' } };
    const refused = fault(await api.get(`/v1/data_model?audit_uuid=${unknown}`, at(3)));
    expect(refused).toEqual({ status: 404, text: `Audit ${unknown} could not be found` });
    delete answers['model.get'];
    const response = await api.get('/v1/data_model', at(3));
    expect(fault(response).status).toBe(500);
    expect(response.headers['openstack-api-version']).toBe('infra-optim 1.3');
    answers['model.get'] = { context: smallModel };
  });
});

describe('GET /v1/strategies/{ident}/state', () => {
  it('is a list of four', async () => {
    for (const ident of ['dummy', 'DUMMY', seed.dummy.uuid, `${seed.dummy.id}/`.replace('/', '')]) {
      const response = await api.get(`/v1/strategies/${ident}/state`);
      expect(response.statusCode, response.body).toBe(200);
      expect(response.json().map((entry: { type: string }) => entry.type)).toEqual([
        'Datasource',
        'Metrics',
        'CDM',
        'Name',
      ]);
      expect(response.json()[3]).toEqual({ type: 'Name', state: 'dummy', mandatory: '', comment: '' });
      expect(lastQuestion()).toEqual({ topic: 'strategy.info', question: { strategy_name: 'dummy' } });
    }
  });

  it('refuses', async () => {
    expect(fault(await api.get('/v1/strategies/nope/state')).text).toBe('Strategy nope could not be found');
    const forbidden = fault(await api.get('/v1/strategies/nope/state', member));
    expect(forbidden).toEqual({ status: 403, text: "Policy doesn't allow strategy:state to be performed." });
  });
});

describe('previews of audits', () => {
  it('asks with the names and the filled-in parameters, and stores nothing', async () => {
    const before = await api.store.db.audits.count();
    const body = { goal: seed.dummyGoal.uuid, strategy: 'dummy', parameters: { para2: 'x' } };
    const response = await api.send('POST', '/v1/audits/preview', body);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ strategy: 'dummy', report: { model_age_seconds: 1 } });
    expect(lastQuestion()?.question).toEqual({
      goal: 'dummy',
      strategy: 'dummy',
      parameters: { para1: 3.2, para2: 'x' },
      scope: [],
    });
    expect(await api.store.db.audits.count()).toBe(before);
  });

  it('compares', async () => {
    const body = { goal: 'dummy', strategies: ['dummy', { strategy: 'free' }] };
    const response = await api.send('POST', '/v1/audits/compare', body);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json().results).toMatchObject([
      { strategy: 'dummy', error: null, preview: { strategy: 'dummy' } },
      { strategy: 'free', error: { code: 'strategy_failed' }, preview: null },
    ]);
  });

  it.each([
    ['preview', {}, 400],
    ['preview', { goal: 'nope' }, 404],
    ['preview', { goal: 'dummy', strategy: 'zone' }, 400],
    ['preview', { goal: 'dummy', strategy: 'dummy', parameters: { para1: 100 } }, 400],
    ['preview', { goal: 'dummy', name: 'x' }, 400],
    ['preview', { goal: 'dummy', scope: [{ compute: [{ instances: 1 }] }] }, 400],
    ['compare', { goal: 'dummy', strategies: ['dummy'], scope: [{ compute: 1 }] }, 400],
    ['compare', { goal: 'dummy', strategies: [] }, 400],
    ['compare', { goal: 'dummy', strategies: [1] }, 400],
    ['compare', { goal: 'dummy', strategies: ['nope'] }, 404],
  ])('%s refuses %j', async (kind, body, status) => {
    expect((await api.send('POST', `/v1/audits/${kind}`, body)).statusCode).toBe(status);
  });

  it.each([
    ['preview', { goal: 'dummy' }],
    ['compare', { goal: 'dummy', strategies: ['dummy'] }],
  ])('%s tells clients to try again while no decision engine answers', async (kind, body) => {
    const topic = `audit.${kind}`;
    const usual = answers[topic] ?? {};
    answers[topic] = () => {
      throw new NobodyAnswersError(topic);
    };
    const response = await api.send('POST', `/v1/audits/${kind}`, body);
    answers[topic] = usual;
    expect(fault(response)).toEqual({
      status: 503,
      text: `No decision engine is running that could answer (${topic}); GET /v1/services shows which ones there are`,
    });
    expect(response.headers['retry-after']).toBe('5');
  });

  it('are for those who may create audits', async () => {
    const response = await api.send('POST', '/v1/audits/preview', { goal: 'dummy' }, member);
    expect(fault(response).text).toBe("Policy doesn't allow audit:create to be performed.");
  });
});

describe('GET /v1/action_plans/{uuid}/preview', () => {
  it('tells order, duration, rollback and hosts', async () => {
    const { plan, actions } = await seedPlan(api.store, seed, { actions: 2 });
    const { uuid } = await api.store.db.actions.insert({
      uuid: unknown,
      actionPlanId: plan.id,
      actionType: 'migrate',
      inputParameters: { source_node: 'h1', destination_node: 'h2', resource_id: 's1', migration_type: 'live' },
      parents: [actions[0]?.uuid ?? ''],
      reason: null,
    });
    await api.store.db.actionDescriptions.replaceAll([
      { actionType: 'nop', description: 'nothing', revertible: 'exact' },
      { actionType: 'migrate', description: 'moves', revertible: 'best-effort' },
    ]);
    const response = await api.get(`/v1/action_plans/${plan.uuid}/preview`);
    expect(response.statusCode, response.body).toBe(200);
    const body = response.json();
    expect(body).toMatchObject({
      estimated_seconds: { at_least: 61, one_by_one: 62, guessed_types: ['migrate', 'nop'] },
      rollback: 'best-effort',
      model: null,
      hosts: [
        { hostname: 'h1', before: { instances: 1, vcpus: 2 }, after: { instances: 0, vcpus: 0 }, instances_out: 1 },
        { hostname: 'h2', before: { instances: 0 }, after: { instances: 1, memory: 1024 }, instances_in: 1 },
      ],
    });
    expect(body.actions.at(-1)).toMatchObject({ stage: 2, action_uuid: expect.any(String) });
    expect(body.actions.find((action: { action_uuid: string }) => action.action_uuid === uuid)).toMatchObject({
      stage: 2,
      starts_after: 1,
    });
  });
});
