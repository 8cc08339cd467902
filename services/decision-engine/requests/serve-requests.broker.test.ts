import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import {
  type AuditPreviewResponse,
  auditCompare,
  auditPreview,
  type Consumer,
  callRpc,
  clusterWhatIf,
  isRefusal,
  type MessageBus,
  modelGet,
  type RpcRefusal,
  strategyInfo,
} from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createMetrics, createSemaphore } from '#libs/service-kit';
import { type EngineOptions, useTestEngines } from '../testing/test-engines.ts';
import { getModel, type RequestDeps, serveRequests } from './serve-requests.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());

const ready = async () => undefined;
const small = { id: '1', name: 'small', vcpus: 1, ramMb: 1024, diskGb: 10, ephemeralGb: 0, swapMb: 0, extraSpecs: {} };
const fast = { ...small, id: '2', name: 'fast', extraSpecs: { 'trait:CUSTOM_FAST': 'required' } };
/** Flavors and traits of the cloud: its full host is fast. */
const whatIfCloud = {
  compute: { listFlavors: async () => [small, fast], listMigrationsSince: async () => [] },
  placement: { getTraits: async (uuid: string) => (uuid === testUuid('busy') ? ['CUSTOM_FAST'] : []) },
};

function deps(options: EngineOptions = {}): RequestDeps {
  return {
    ...engines.planDeps(options),
    store,
    models: {
      compute: ready,
      storage: () => Promise.reject(new Error('the cloud has no volume service')),
      baremetal: ready,
    },
    modelMaxAgeMs: 0,
    slots: createSemaphore(1),
    cloud: whatIfCloud,
  };
}

function accepted<Result extends object>(response: Result | RpcRefusal): Result {
  if (isRefusal(response)) throw new Error(`${response.error.code}: ${response.error.message}`);
  return response;
}

/** 3,000 instances on 100 hosts, and 20 empty ones. */
const largeWorld = createTestWorld({
  hosts: Array.from({ length: 120 }, (_, index) => ({ hostname: `host-${index}`, vcpus: 64, memory: 1e6, disk: 1e4 })),
  instances: Array.from({ length: 3_000 }, (_, index) => ({
    name: `vm-${index}`,
    host: `host-${index % 100}`,
    vcpus: 1,
    memory: 1024,
    disk: 10,
  })),
});

const kinds = ['RabbitMQ', 'PostgreSQL'] as const;

describe.each(kinds)('requests over %s', (kind) => {
  let client: MessageBus;
  let server: MessageBus;
  let responder: Consumer;
  const windowEnds: (number | undefined)[] = [];

  const createBus = (prefix: string) =>
    createMessageBus({
      amqpUrl: kind === 'RabbitMQ' ? process.env.VIGIL_TEST_AMQP_URL : undefined,
      databaseUrl: engines.databaseUrl,
      logger: silentLogger,
      prefix,
      appId: randomUUID(),
      metrics: createMetrics('test'),
    });

  beforeAll(async () => {
    const prefix = `test-${randomUUID().slice(0, 8)}`;
    [client, server] = [await createBus(prefix), await createBus(prefix)];
    const { history, ...others } = deps();
    const recorded: typeof history = {
      ...history,
      aggregate: (query) => {
        windowEnds.push(query.endMs);
        return history.aggregate(query);
      },
    };
    responder = await serveRequests(server, { ...others, history: recorded });
  });
  afterAll(async () => {
    await responder.stop();
    await client.close();
    await server.close();
  });

  test('strategy.info has the form of Watcher, with every part really checked', async () => {
    const { requirements } = accepted(
      await callRpc(client, strategyInfo, { strategy_name: 'vm_workload_consolidation' }),
    );

    expect(requirements.map(({ type, mandatory }) => [type, mandatory])).toEqual([
      ['Datasource', true],
      ['Metrics', false],
      ['CDM', true],
    ]);
    expect(requirements[0]).toEqual({ type: 'Datasource', state: 'test: available', mandatory: true, comment: '' });
    expect(requirements[1]?.state).toEqual(
      expect.arrayContaining([{ host_cpu_usage: 'available' }, { instance_ram_usage: 'not available' }]),
    );
    expect(requirements[2]).toMatchObject({
      state: [{ compute_model: 'available' }, { storage_model: 'not available' }, { baremetal_model: 'available' }],
      comment: 'storage_model (not used by this strategy): the cloud has no volume service',
    });
    const { requirements: ofDummy } = accepted(await callRpc(client, strategyInfo, { strategy_name: 'dummy' }));
    expect(ofDummy[0]?.state).toBe('Datasource is not presented for this strategy');
    expect(ofDummy[1]?.state).toEqual([]);
  });

  test('a request of a newer version is returned to its sender with the known version', async () => {
    const newer: typeof modelGet = { ...modelGet, version: 2 };
    await expect(callRpc(client, newer, { data_model_type: 'compute', audit: null })).rejects.toMatchObject({
      code: 'remote_request_failed',
      remoteCode: 'version_unknown',
      message: expect.stringContaining('version model.get/2 is not known here; the newest that is known is 1'),
    });
    await expect(
      client.request(modelGet.topic, { data_model_type: 'storage', audit: null }, { timeoutMs: 60_000 }),
    ).resolves.toBeDefined();
  });

  test('a model larger than many frames of a broker arrives whole', async () => {
    engines.world.snapshot = largeWorld;

    const { context } = accepted(await callRpc(client, modelGet, { data_model_type: 'compute', audit: null }));

    expect(JSON.stringify(context).length).toBeGreaterThan(2 ** 20);
    expect(context).toHaveLength(3_020);
    expect(new Set(context.map((row) => row.server_uuid)).size).toBe(3_001);
  });

  test('requests that fail return a code', async () => {
    const code = async (requested: Promise<object>) => {
      const response = await requested;
      return isRefusal(response) ? response.error.code : 'an answer';
    };
    expect(await code(callRpc(client, strategyInfo, { strategy_name: 'nothing' }))).toBe('strategy_not_found');
    expect(await code(callRpc(client, modelGet, { data_model_type: 'storage', audit: null }))).toBe(
      'data_model_not_found',
    );
    expect(await code(callRpc(client, modelGet, { data_model_type: 'compute', audit: randomUUID() }))).toBe(
      'audit_not_found',
    );
    const preview = { goal: 'dummy', strategy: 'dummy', parameters: {}, scope: [] };
    expect(await code(callRpc(client, auditPreview, { ...preview, goal: 'nothing' }))).toBe('goal_not_found');
    expect(await code(callRpc(client, auditPreview, { ...preview, strategy: 'nothing' }))).toBe('strategy_not_found');
    expect(await code(callRpc(client, auditPreview, { ...preview, parameters: { para1: 'x' } }))).toBe('invalid_input');
    expect(await code(callRpc(client, auditPreview, { ...preview, goal: 'server_consolidation' }))).toBe(
      'invalid_input',
    );
    engines.world.loads = new Map();
    const blind = { goal: 'workload_balancing', strategy: 'workload_stabilization', parameters: {}, scope: [] };
    expect(await code(callRpc(client, auditPreview, blind))).toBe('strategy_failed');
  });

  test('a preview returns the plan of an audit, with hosts before and after, and stores nothing', async () => {
    const counts = async () => [
      await store.db.audits.count(),
      await store.db.actionPlans.count(),
      await store.db.actions.count(),
      await store.db.efficacyIndicators.count(),
      (await store.changes.bounds()).newest,
    ];
    const before = await counts();
    const request = { goal: 'workload_balancing', strategy: 'workload_stabilization', parameters: {}, scope: [] };

    const preview = accepted(await callRpc(client, auditPreview, request));
    const again = accepted(await callRpc(client, auditPreview, request));

    const moves = preview.actions.filter(({ action_type }) => action_type === 'migrate');
    expect(moves.length).toBeGreaterThan(0);
    expect(moves[0]?.reason.summary).toBeTruthy();
    expect(
      preview.hosts.map(({ hostname, before: b, after: a }) => [hostname, b.instances, a.instances, a.vcpus]),
    ).toEqual([
      ['busy', 4, 4 - moves.length, 16 - 4 * moves.length],
      ['idle', 0, moves.length, 4 * moves.length],
    ]);
    expect(preview.report.metrics.map(({ metric }) => metric)).toContain('host_cpu_usage');
    expect(preview.indicators.find(({ name }) => name === 'instance_migrations_count')?.value).toBe(moves.length);
    const steps = (response: AuditPreviewResponse) => response.actions.map(({ input_parameters }) => input_parameters);
    expect(steps(again)).toEqual(steps(preview));
    expect(await counts()).toEqual(before);
  });

  test('what-if questions are computed on the model, with the flavors and traits of the cloud', async () => {
    const place = { question: 'place', count: null, zone: null, project_id: 'p', boot_from_volume: false } as const;
    const whole = accepted(await callRpc(client, clusterWhatIf, { ...place, flavor: 'small' }));
    expect(whole).toMatchObject({ verdict: 'fits', is_exact: true, reserve: { before: { hosts: 2 } } });
    expect(whole.hosts.map(({ hostname }) => hostname)).toEqual(['idle']);
    // No instance needs the trait, so that the model has none.
    const onFast = accepted(await callRpc(client, clusterWhatIf, { ...place, flavor: '2' }));
    expect(onFast).toMatchObject({ verdict: 'does_not_fit', number: 0, hosts: [] });
    expect(onFast.obstacles).toContainEqual(expect.objectContaining({ constraint: 'trait', hosts: 1 }));
    const lost = accepted(await callRpc(client, clusterWhatIf, { question: 'lose', kind: 'host', names: ['busy'] }));
    expect(lost).toMatchObject({ verdict: 'fits', moves_needed: 4, left: 0, reserve: { after: { hosts: 1 } } });
    const refused = (question: object) => callRpc(client, clusterWhatIf, question as never);
    expect(await refused({ ...place, flavor: 'smal' })).toMatchObject({
      error: { code: 'flavor_not_found', message: 'flavor: there is no flavor smal; did you mean small?' },
    });
    expect(await refused({ question: 'remove', names: ['bussy'] })).toMatchObject({
      error: { code: 'invalid_input', message: 'names: there is no host bussy; did you mean busy?' },
    });
  });

  test('strategies are compared on the same model and windows; a failed one does not affect the others', async () => {
    windowEnds.length = 0;
    const { results } = accepted(
      await callRpc(client, auditCompare, {
        goal: 'workload_balancing',
        strategies: [
          { name: 'workload_stabilization', parameters: {} },
          { name: 'workload_stabilization', parameters: { nonsense: 1 } },
          { name: 'dummy', parameters: {} },
          {
            name: 'workload_stabilization',
            parameters: { thresholds: { instance_cpu_usage: 0.9, instance_ram_usage: 0.9 } },
          },
        ],
        scope: [],
      }),
    );

    expect(results.map((result) => (isRefusal(result) ? result.error.code : 'ok'))).toEqual([
      'ok',
      'invalid_input',
      'invalid_input',
      'ok',
    ]);
    const pictures = results.flatMap((result) => (isRefusal(result) ? [] : result.model_taken_at));
    expect(new Set(pictures).size).toBe(1);
    expect(windowEnds.length).toBeGreaterThan(1);
    expect(new Set(windowEnds)).toEqual(new Set([expect.any(Number)]));
    expect(new Set(windowEnds).size).toBe(1);
  });
});

test('an unreadable cloud and a failing strategy are distinguished', async () => {
  const collect = () => Promise.reject(new Error('Nova answers 503'));

  const response = await getModel({ data_model_type: 'compute', audit: null }, deps({ collect }));

  expect(response).toEqual({ error: { code: 'model_not_available', message: 'Nova answers 503' } });
});

test('the scope of an audit limits the model', async () => {
  const audit = await engines.newAudit('dummy', {
    scope: [{ compute: [{ exclude: [{ compute_nodes: [{ name: 'busy' }] }] }] }],
  });

  const response = await getModel({ data_model_type: 'compute', audit: audit.name }, deps());

  expect(isRefusal(response) ? [] : response.context.map((row) => row.node_hostname)).toEqual(['idle']);
});
