import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readBuildVersion } from '#libs/service-kit';
import { createFakeCloud, runSql, useDatabase } from '#tests';
import { createFakeEngine, usualResponses } from '../../testing/fake-engine.ts';
import { fault, seedCatalogue, seedPlan, type TestApi, useTestApi } from '../../testing/test-api.ts';

const header = { 'X-Vigil-Internal-Version': readBuildVersion() };
const serverUuid = '00000000-0000-4000-8000-000000000001';

/** Three API processes on one database, in front of the same cloud and the same engine. */
const counted = { servers: 0, nodes: 0 };
const engine = createFakeEngine({
  ...usualResponses,
  'cluster.summary': () => usualResponses['cluster.summary'] as object,
});

const cloud = createFakeCloud({
  hosts: [{ name: 'h1' }, { name: 'h2' }],
  servers: [{ uuid: serverUuid, host: 'h1' }],
  nodes: [{ uuid: 'node-1', computeNodeId: 'hypervisor-h1' }],
});
const slowly = { delayMs: 100 };
const compute = {
  ...cloud.compute,
  getServer: async (...call: Parameters<typeof cloud.compute.getServer>) => {
    counted.servers += 1;
    await sleep(slowly.delayMs);
    return cloud.compute.getServer(...call);
  },
};
const baremetal = {
  ...cloud.baremetal,
  listNodes: async (...call: Parameters<typeof cloud.baremetal.listNodes>) => {
    counted.nodes += 1;
    return cloud.baremetal.listNodes(...call);
  },
};
const { url: databaseUrl } = await useDatabase();
const limits = new Map<string, number>();
const bus: typeof engine = {
  ...engine,
  request(topic, body, options) {
    limits.set(topic, options.timeoutMs);
    return engine.request(topic, body, options);
  },
};
const start = () => useTestApi({ bus, cloud: { ...cloud, compute, baremetal } }, databaseUrl);
const apis = [await start(), await start(), await start()] as const;
const seeded = await seedPlan(apis[0].store, await seedCatalogue(apis[0].store), { actions: 4 });

const get = (path: string, process = 0) => (apis[process] as TestApi).get(`/internal${path}`, header);

/** Maximum loads since `begun` of a value that counts as new for 5 s. */
const turns = (startedAt: number) => Math.ceil((Date.now() - startedAt) / 5000);

/** Reads a value that then counts as new for an hour. */
async function keep(path: string): Promise<object> {
  const response = (await get(path, 1)).json();
  await runSql(
    databaseUrl,
    "UPDATE dynamic_values SET expires_at = now() + interval '1 hour' WHERE expires_at IS NOT NULL",
  );
  return response;
}

describe('one load for all', () => {
  test('100 parallel reads of a locked property on three processes call Nova once', async () => {
    const startedAt = Date.now();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => get(`/properties/server/${serverUuid}/host`, index % 3)),
    );
    expect(new Set(responses.map((response) => response.json().value))).toEqual(new Set(['h1']));
    expect(counted.servers).toBeGreaterThan(0);
    expect(counted.servers).toBeLessThanOrEqual(turns(startedAt));
  });

  test('1000 viewers of the cluster page on three processes call the engine once', async () => {
    const before = engine.requests.length;
    const startedAt = Date.now();
    const view = (index: number) => get(index % 5 === 0 ? '/properties/host/h1/load' : '/cluster/summary', index % 3);
    const responses = await Promise.all(Array.from({ length: 1000 }, (_, index) => view(index)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const requested = engine.requests.slice(before).map(({ topic }) => topic);
    expect(new Set(requested)).toEqual(new Set(['cluster.summary']));
    expect(requested.length).toBeLessThanOrEqual(turns(startedAt));
  });
});

test('a summary without hosts has the same sums and another tag', async () => {
  await keep('/cluster/summary');
  const [whole, totals] = [await get('/cluster/summary'), await get('/cluster/summary?hosts=false')];
  expect(whole.json().hosts.length).toBeGreaterThan(0);
  const age = expect.any(Number);
  expect(totals.json()).toEqual({ ...whole.json(), age_seconds: age, aggregates: [], hosts: [] });
  expect(totals.headers.etag).not.toBe(whole.headers.etag);
  expect((await get('/cluster/summary?hosts=true')).headers.etag).toBe(whole.headers.etag);
  expect(fault(await get('/cluster/summary?hosts=no'))).toEqual({
    status: 400,
    text: 'hosts: true or false is expected',
  });
});

test('the progress of a plan follows its actions immediately, on every process', async () => {
  const progress = async (process: number) =>
    (await get(`/properties/action_plan/${seeded.plan.uuid}/progress`, process)).json().value;
  expect(await progress(0)).toMatchObject({ total: 4, ended: 0, percent: 0 });
  const [first] = seeded.actions;
  await apis[1].store.db.actions.transition(first?.uuid ?? '', 'begin');
  expect(await progress(2)).toMatchObject({ running: 1, percent: 0 });
  await apis[1].store.db.actions.transition(first?.uuid ?? '', 'succeed');
  expect(await progress(0)).toMatchObject({ running: 0, ended: 1, percent: 25 });
  expect(await progress(1)).toMatchObject({ ended: 1, by_state: { SUCCEEDED: 1, PENDING: 3 } });
});

test('a user can mark a property as outdated', async () => {
  const path = `/properties/server/${serverUuid}/host`;
  await keep(path);
  const before = counted.servers;
  const response = await apis[0].send('POST', `/internal${path}/invalidate`, undefined, header);
  expect(response.statusCode).toBe(204);
  await keep(path);
  await get(path, 2);
  expect(counted.servers).toBe(before + 1);
});

test.each(['a%00b', 'x'.repeat(256), 'a%3Fb', 'a%5Cb', 'a%23b'])(
  'an id that could lead elsewhere is refused: %s',
  async (id) => {
    for (const path of [`/properties/server/${id}/state`, `/properties/server/${id}`]) {
      expect(fault(await get(path)), path).toMatchObject({ status: 400, text: expect.stringMatching(/^id: /) });
    }
  },
);

test('an id of dots, which only clients of another kind leave in a path, is refused', async () => {
  const { port, hostname } = new URL(await apis[0].listen());
  for (const id of ['%2e%2e', '..', '%2E', '.']) {
    const path = `/internal/properties/server/${id}/state`;
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, headers: header }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.on('error', reject).end();
    });
    expect(status, id).toBe(400);
  }
});

test('an unknown property or entity is a 404 that names the entity', async () => {
  expect(fault(await get('/properties/server/none/host'))).toMatchObject({ status: 404, text: /Server none/ });
  expect(fault(await get('/properties/ship/x/host'))).toMatchObject({ status: 404 });
  expect((await get('/cluster/hosts/h9')).statusCode).toBe(404);
  const all = (await get(`/properties/server/${serverUuid}`)).json().properties;
  expect(Object.keys(all)).toEqual(['state', 'host', 'migration']);
  expect(all.state).toMatchObject({ value: { status: 'ACTIVE', host: 'h1' }, error: null });
});

test('a host has its hypervisor and its power, and one listing of Ironic serves all hosts', async () => {
  const startedAt = Date.now();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => get(`/properties/host/h${1 + (index % 2)}/power`, index % 3)),
  );
  const powers = responses.map((response) => response.json().value);
  expect(powers[0]).toEqual({
    node: 'node-1',
    power_state: 'power on',
    target_power_state: null,
    maintenance: false,
    maintenance_reason: null,
    last_error: null,
  });
  // No node runs the other host.
  expect(powers[1]).toBeNull();
  expect(counted.nodes).toBeGreaterThan(0);
  expect(counted.nodes).toBeLessThanOrEqual(turns(startedAt));
  const hypervisor = (await get('/properties/host/h1/hypervisor')).json();
  const unknown = { version: null, architecture: null, cpu_model: null };
  expect(hypervisor).toMatchObject({ value: { name: 'h1', type: 'QEMU', ...unknown }, stale: false, error: null });
  expect(fault(await get('/properties/host/h9/power'))).toMatchObject({ status: 404, text: /Host h9/ });
});

test('a running live migration says how far it has come; no migration is null, which is kept', async () => {
  const path = `/properties/server/${serverUuid}/migration`;
  expect(await keep(path)).toMatchObject({ value: null, error: null });
  cloud.hold(serverUuid);
  await cloud.compute.liveMigrate(serverUuid, 'h2');
  expect((await get(path)).json()).toMatchObject({ value: null });
  await apis[0].send('POST', `/internal${path}/invalidate`, undefined, header);
  expect((await get(path, 1)).json().value).toMatchObject({
    status: expect.any(String),
    percent: 75,
    transfer: { memory_total_bytes: 4096, memory_remaining_bytes: 1024, disk_total_bytes: 0 },
  });
});

test('calls of the engine end when their property is given up', async () => {
  await get('/cluster/summary');
  await get('/cluster/hosts/h1');
  const declared = (await get('/properties')).json().properties as {
    kind: string;
    name: string;
    timeout_seconds: number;
  }[];
  const limitOf = (kind: string, name: string) =>
    1000 * (declared.find((one) => one.kind === kind && one.name === name)?.timeout_seconds ?? 0);
  expect(limits.get('cluster.summary')).toBe(limitOf('cluster', 'summary'));
  expect(limits.get('cluster.host')).toBe(limitOf('host', 'page'));
});
