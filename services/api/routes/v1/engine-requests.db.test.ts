import { describe, expect, it } from 'vitest';
import type { PlanHosts } from '#libs/domain';
import { NoResponderError } from '#libs/messaging';
import { readBuildVersion } from '#libs/service-kit';
import { createFakeEngine, smallModel, usualResponses } from '../../testing/fake-engine.ts';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../testing/test-api.ts';

const engineResponses = { ...usualResponses };
const engine = createFakeEngine(engineResponses);
const member = { 'X-Roles': 'member' };
const unknown = '00000000-0000-4000-8000-000000000000';

const api = await useTestApi({ bus: engine });
const seed = await seedCatalogue(api.store);

const lastRequest = () => engine.requests.at(-1);

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

  it('requests the scope of an audit', async () => {
    const { audit } = await seedPlan(api.store, seed);
    await api.get(`/v1/data_model/?audit_uuid=${audit.uuid}&data_model_type=compute`, at(3));
    expect(lastRequest()).toEqual({
      topic: 'model.get',
      body: { data_model_type: 'compute', audit: audit.uuid },
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

  it('says that an audit does not exist, and that the engine is unavailable', async () => {
    engineResponses['model.get'] = { error: { code: 'audit_not_found', message: 'internal words' } };
    const refused = fault(await api.get(`/v1/data_model?audit_uuid=${unknown}`, at(3)));
    expect(refused).toEqual({ status: 404, text: `Audit ${unknown} could not be found` });
    delete engineResponses['model.get'];
    const response = await api.get('/v1/data_model', at(3));
    expect(fault(response).status).toBe(500);
    expect(response.headers['openstack-api-version']).toBe('infra-optim 1.3');
    engineResponses['model.get'] = { context: smallModel };
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
      expect(lastRequest()).toEqual({ topic: 'strategy.info', body: { strategy_name: 'dummy' } });
    }
  });

  it('refuses', async () => {
    expect(fault(await api.get('/v1/strategies/nope/state')).text).toBe('Strategy nope could not be found');
    const forbidden = fault(await api.get('/v1/strategies/nope/state', member));
    expect(forbidden).toEqual({ status: 403, text: "Policy doesn't allow strategy:state to be performed." });
  });
});

describe('previews of audits', () => {
  it('sends the names and the completed parameters, and stores nothing', async () => {
    const before = await api.store.db.audits.count();
    const body = { goal: seed.dummyGoal.uuid, strategy: 'dummy', parameters: { para2: 'x' } };
    const response = await api.send('POST', '/v1/audits/preview', body);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ strategy: 'dummy', report: { model_age_seconds: 1 } });
    expect(response.json().reserve_changes).toEqual([{ domain: 'zone z1', change: 'lost' }]);
    expect(lastRequest()?.body).toEqual({
      goal: 'dummy',
      strategy: 'dummy',
      audit_type: 'ONESHOT',
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
  ])('%s refers clients to a later retry while no decision engine responds', async (kind, body) => {
    const topic = `audit.${kind}`;
    const usual = engineResponses[topic] ?? {};
    engineResponses[topic] = () => {
      throw new NoResponderError(topic);
    };
    const response = await api.send('POST', `/v1/audits/${kind}`, body);
    engineResponses[topic] = usual;
    expect(fault(response)).toEqual({
      status: 503,
      text: `No decision engine is available (${topic}); GET /v1/services lists the running ones`,
    });
    expect(response.headers['retry-after']).toBe('5');
  });

  it('require the permission to create audits', async () => {
    const response = await api.send('POST', '/v1/audits/preview', { goal: 'dummy' }, member);
    expect(fault(response).text).toBe("Policy doesn't allow audit:create to be performed.");
  });
});

describe('GET /v1/action_plans/{uuid}/preview', () => {
  const use = (instances: number, enabled = true) => ({
    instances,
    vcpus: 2 * instances,
    dedicatedCpus: 0,
    memory: 1024 * instances,
    disk: 20 * instances,
    enabled,
  });
  const inApi = ({ dedicatedCpus: dedicated_cpus, ...rest }: ReturnType<typeof use>) => ({ ...rest, dedicated_cpus });
  const size = { vcpus: 2, dedicatedCpus: 0, memory: 1024, disk: 20 };
  const capacity = { vcpus: 16, dedicatedCpus: 0, memory: 32_768, disk: 500 };
  const stored: PlanHosts = {
    modelTakenAt: '2026-01-01T00:00:00.000Z',
    hosts: [
      { hostname: 'h1', capacity, before: use(3), after: use(1), instancesIn: 0, instancesOut: 2 },
      { hostname: 'h2', capacity, before: use(0), after: use(2), instancesIn: 2, instancesOut: 0 },
    ],
    unplaced: { instances: 1, ...size },
    moved: { s1: { ...size, host: 'h1' }, s2: { ...size, host: 'h1' }, s3: { ...size, host: 'h1' } },
  };

  async function planOfMoves() {
    const { plan, actions } = await seedPlan(api.store, seed, { actions: 1 });
    const moves = [];
    for (const resource_id of ['s1', 's2'])
      moves.push(
        await api.store.db.actions.insert({
          uuid: crypto.randomUUID(),
          actionPlanId: plan.id,
          actionType: 'migrate',
          inputParameters: { source_node: 'h1', destination_node: 'h2', resource_id, migration_type: 'live' },
          parents: [actions[0]?.uuid ?? ''],
          reason: null,
        }),
      );
    return { plan, moves };
  }
  const preview = async (uuid: string) => {
    const response = await api.get(`/v1/action_plans/${uuid}/preview`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };

  it('shows order, duration and rollback, and current hosts for a plan without stored ones', async () => {
    const { plan, moves } = await planOfMoves();
    await api.store.db.actionDescriptions.replaceAll([
      { actionType: 'nop', description: 'nothing', revertible: 'exact' },
      { actionType: 'migrate', description: 'moves', revertible: 'best-effort' },
    ]);
    const body = await preview(plan.uuid);
    expect(body).toMatchObject({
      estimated_seconds: { one_by_one: 121, guessed_types: ['live', 'nop'] },
      duration: { measured_actions: 0, guessed_types: ['live', 'nop'] },
      rollback: 'best-effort',
      model: null,
      hosts_taken_at: null,
      today_taken_at: '2026-01-01T00:10:00.000Z',
      unplaced: null,
      hosts: [
        { hostname: 'h1', before: null, after: null, so_far: null, today: { instances: 1 }, instances_out: 2 },
        { hostname: 'h2', before: null, after: null, so_far: null, today: { instances: 0 }, instances_in: 2 },
      ],
    });
    expect(body.actions.find((action: { action_uuid: string }) => action.action_uuid === moves[0]?.uuid)).toMatchObject(
      {
        stage: 2,
        starts_after: 1,
      },
    );
  });

  it('expects no further seconds of a plan that ended before its actions', async () => {
    const { plan } = await planOfMoves();
    const duration = async () => (await api.get(`/v1/action_plans/${plan.uuid}/duration`)).json();
    const { seconds, remaining_seconds: remaining } = await duration();
    expect(remaining).toEqual(seconds);
    await api.store.db.actionPlans.transition(plan.uuid, 'supersede');
    expect(await duration()).toMatchObject({ seconds, remaining_seconds: { low: 0, high: 0 } });
  });

  it('shows the stored hosts independent of the current cloud, and the completed actions', async () => {
    const { plan, moves } = await planOfMoves();
    await api.store.db.planHosts.insert(plan.id, stored);
    const rows = async () => {
      const { hosts } = await preview(plan.uuid);
      return hosts.map((host: Record<string, unknown>) => [host.before, host.after, host.so_far]);
    };
    const untouched = [
      [inApi(use(3)), inApi(use(1)), inApi(use(3))],
      [inApi(use(0)), inApi(use(2)), inApi(use(0))],
    ];
    expect(await rows()).toEqual(untouched);

    await api.store.db.actions.transition(moves[0]?.uuid ?? '', 'begin');
    expect(await rows()).toEqual(untouched);
    await api.store.db.actions.transition(moves[0]?.uuid ?? '', 'succeed');
    await api.store.db.actions.transition(moves[1]?.uuid ?? '', 'begin');
    await api.store.db.actions.transition(moves[1]?.uuid ?? '', 'fail');
    expect(await rows()).toEqual([
      [inApi(use(3)), inApi(use(1)), inApi(use(2))],
      [inApi(use(0)), inApi(use(2)), inApi(use(1))],
    ]);

    const body = await preview(plan.uuid);
    expect(body).toMatchObject({ hosts_taken_at: stored.modelTakenAt, unplaced: { instances: 1, memory: 1024 } });
    expect(body.hosts[0].today).toMatchObject({ instances: 1 });
    expect(body.hosts[0].capacity).toMatchObject({ memory: 32_768, dedicated_cpus: 0 });
  });

  it('shows measured loads before and after, and the side effects', async () => {
    const { plan, moves } = await planOfMoves();
    const host = { hostname: 'h2', capacity, instancesIn: 2, instancesOut: 0 };
    const effect = {
      quantity: 'cpu_load' as const,
      deviation: { before: 3.04, after: 21.7 },
      highestBefore: 66,
      fullest: { hostname: 'h2', before: 12, after: 94 },
    };
    await api.store.db.planHosts.insert(plan.id, {
      ...stored,
      hosts: [{ ...host, before: { ...use(0), cpuLoad: 12 }, after: { ...use(2), cpuLoad: 94 } }],
      quantities: [effect, { ...effect, quantity: 'disk', deviation: { before: 3, after: 3 }, highestBefore: 94 }],
      reserve: [{ domain: 'zone z1', change: 'lost' }],
      duration: { low: 50, high: 70 },
    });

    const { hosts, side_effects: effects, reserve_changes: reserves, promises } = await preview(plan.uuid);

    expect(hosts).toMatchObject([{ before: { cpu_load: 12 }, after: { cpu_load: 94 }, so_far: { cpu_load: 12 } }]);
    await api.store.db.actions.transition(moves[0]?.uuid ?? '', 'begin');
    await api.store.db.actions.transition(moves[0]?.uuid ?? '', 'succeed');
    const { hosts: changed } = await preview(plan.uuid);
    expect(changed[0].so_far).not.toHaveProperty('cpu_load');
    expect(reserves).toEqual([{ domain: 'zone z1', change: 'lost' }]);
    expect(promises).toEqual([
      { quantity: 'cpu_load_highest', low: 89, high: 99 },
      { quantity: 'cpu_load_deviation', low: 18.7, high: 24.7 },
      { quantity: 'duration', low: 50, high: 70 },
    ]);
    expect(effects).toEqual([
      {
        quantity: 'cpu_load',
        deviation: { before: 3, after: 21.7 },
        highest_before: 66,
        fullest: { hostname: 'h2', before: 12, after: 94 },
      },
    ]);
  });

  it('does not need the cloud for stored values', async () => {
    const { plan } = await planOfMoves();
    await api.store.db.planHosts.insert(plan.id, stored);
    const { 'cluster.uses': uses } = engineResponses;
    delete engineResponses['cluster.uses'];
    const body = await preview(plan.uuid);
    engineResponses['cluster.uses'] = uses as object;
    expect(body).toMatchObject({ model: expect.stringContaining('cluster.uses'), today_taken_at: null });
    expect(body.hosts[0]).toMatchObject({ before: { instances: 3 }, today: null });
  });
});

describe('text that PostgreSQL cannot carry', () => {
  const internal = { 'X-Vigil-Internal-Version': readBuildVersion() };
  it.each(['/internal/cluster/instances/a%00b', '/internal/cluster/find?q=a%00b'])(
    'the API refuses %s as a mistake of the client',
    async (path) => {
      const before = engine.requests.length;
      expect(fault(await api.get(path, internal))).toMatchObject({ status: 400, text: expect.stringMatching(/NUL/) });
      expect(engine.requests).toHaveLength(before);
    },
  );

  it('the API refuses a preview with half of a surrogate pair', async () => {
    const body = { goal: 'dummy', strategy: 'dummy', parameters: { para2: '\ud800' } };
    const refused = fault(await api.send('POST', '/v1/audits/preview', body));
    expect(refused).toMatchObject({ status: 400, text: expect.stringMatching(/para2.*surrogate/) });
  });
});
