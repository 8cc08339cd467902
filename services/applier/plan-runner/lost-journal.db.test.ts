import { describe, expect, it } from 'vitest';
import { createFakeCloud, type FakeCloud, runSql } from '#tests';
import { type ActionSpec, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';

const bench = await useApplierBench();

function makeCloud(status: 'ACTIVE' | 'SHUTOFF' = 'ACTIVE') {
  return createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [{ uuid: serverId(1), host: 'a', status }],
  });
}

type Plan = Awaited<ReturnType<typeof bench.plan>>;

/** Kills a run at the instant at which its request was sent. */
async function killAfterSend(cloud: FakeCloud, actions: ActionSpec[], nth = 1): Promise<Plan> {
  const plan = await bench.plan(actions);
  await killRunAt(bench, { cloud, plan, point: 'after-send', nth });
  return plan;
}

const lost = {
  'its journal': () => runSql(bench.databaseUrl, "UPDATE action_attempts SET intent = '{}', result = NULL"),
  'its start': async () => {
    await runSql(bench.databaseUrl, 'DELETE FROM action_attempts');
    await runSql(bench.databaseUrl, 'DELETE FROM action_slots');
    await runSql(bench.databaseUrl, "UPDATE actions SET state = 'PENDING', started_at = NULL, ended_at = NULL");
  },
};
const losses = Object.entries(lost).map(([name, forget]) => ({ name, forget }));

async function arrive(cloud: FakeCloud) {
  for (let reads = 0; reads < 6; reads++) await cloud.compute.getServer(serverId(1));
}

const takeOver = (cloud: FakeCloud, plan: Plan) => bench.run(bench.runner({ cloud }), plan, 'taken_over');

const once = { state: 'SUCCEEDED', actions: ['SUCCEEDED'] };

describe.each(losses)('when a failover of the database lost $name', ({ forget }) => {
  it('a live migration that has arrived is found by its record in Nova', async () => {
    const cloud = makeCloud();
    const plan = await killAfterSend(cloud, [moveSpec(1, 'a', 'b')]);
    await forget();
    await arrive(cloud);
    expect(cloud.servers.get(serverId(1))?.host).toBe('b');
    expect(await takeOver(cloud, plan)).toMatchObject(once);
    expect(cloud.mutations).toHaveLength(1);
  });

  it('a live migration that runs is waited for', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await killAfterSend(cloud, [moveSpec(1, 'a', 'b')]);
    await forget();
    const end = takeOver(cloud, plan);
    cloud.release(serverId(1));
    expect(await end).toMatchObject(once);
    expect(cloud.mutations).toHaveLength(1);
  });

  it.each(['ACTIVE', 'SHUTOFF'] as const)(
    'a cold migration of an instance that was %s is confirmed',
    async (status) => {
      const cloud = makeCloud(status);
      const plan = await killAfterSend(cloud, [moveSpec(1, 'a', 'b', { cold: true })]);
      await forget();
      await arrive(cloud);
      expect(await takeOver(cloud, plan)).toMatchObject(once);
      expect(cloud.mutations.map(({ call }) => call)).toEqual(['coldMigrate', 'confirmResize']);
      expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'b', status });
    },
  );

  it('a resize is found', async () => {
    const cloud = makeCloud();
    const input = { resource_id: serverId(1), flavor: 'large' };
    const plan = await killAfterSend(cloud, [{ type: 'resize', input }]);
    await forget();
    await arrive(cloud);
    expect(await takeOver(cloud, plan)).toMatchObject(once);
    expect(cloud.mutations.map(({ call }) => call)).toEqual(['resizeServer', 'confirmResize']);
  });

  it('an evacuation is found', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a', state: 'down', forcedDown: true }, { name: 'b' }],
      servers: [{ uuid: serverId(1), host: 'a' }],
    });
    const input = { resource_id: serverId(1), source_node: 'a', destination_node: 'b', fenced_by: 'forced_down' };
    const plan = await killAfterSend(cloud, [{ type: 'evacuate', input }]);
    await forget();
    await arrive(cloud);
    expect(await takeOver(cloud, plan)).toMatchObject(once);
    expect(cloud.mutations).toHaveLength(1);
  });

  it('both moves of an instance are found in the order of the plan', async () => {
    const cloud = makeCloud();
    const moves = [moveSpec(1, 'a', 'c'), moveSpec(1, 'c', 'b', { after: [0] })];
    const plan = await bench.plan(moves);
    // The first action writes the results of its request and of its record.
    await killRunAt(bench, { cloud, plan, point: 'before-succeeded', nth: 2 });
    await lost['its start']();
    await forget();
    expect(cloud.servers.get(serverId(1))?.host).toBe('b');
    expect(await takeOver(cloud, plan)).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED'] });
    expect(cloud.mutations).toHaveLength(2);
  });

  it('a migration of another user is not taken for that of the plan', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    await killRunAt(bench, { cloud, plan, point: 'after-intent', nth: 1 });
    await forget();
    expect(cloud.migrateAsAnotherUser(serverId(1), 'b')).toBeNull();
    await arrive(cloud);
    const end = await takeOver(cloud, plan);
    expect(['FAILED', 'SKIPPED']).toContain(end.actions[0]);
    expect(end.messages[0]).toContain('is not running on source node a (currently on b)');
    expect(cloud.mutations).toEqual([]);
  });
});

it('a migration of our user before the plan was claimed is not taken for that of the plan', async () => {
  const cloud = makeCloud();
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await killRunAt(bench, { cloud, plan, point: 'after-claim', nth: 1 });
  cloud.recordsFrom(new Date('2026-01-01T00:00:00Z'));
  await cloud.compute.liveMigrate(serverId(1), 'b');
  await arrive(cloud);
  expect(await takeOver(cloud, plan)).toMatchObject({ actions: ['SKIPPED'] });
});

it('a service that the plan disabled is not reported as FAILED when its journal is lost', async () => {
  const cloud = makeCloud();
  const input = { resource_id: 'a', resource_name: 'a', state: 'disabled', disabled_reason: 'watcher_disabled' };
  const plan = await killAfterSend(cloud, [{ type: 'change_nova_service_state', input }]);
  await lost['its journal']();
  expect(await takeOver(cloud, plan)).toMatchObject(once);
  expect(cloud.mutations[0]).toMatchObject({ call: 'setServiceStatus' });
});
