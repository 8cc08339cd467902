import { expect, test } from 'vitest';
import { insertAction, insertPlanWorld, useStore } from '#tests';

const { store } = await useStore();

test('finished actions and those of a plan have the sizes of instances and volumes', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const resources = { vcpus: 1, dedicatedCpus: 0, memory: 2048, disk: 0 };
  await store.db.planHosts.insert(plan.id, {
    modelTakenAt: '2026-01-01T00:00:00Z',
    hosts: [],
    unplaced: { ...resources, instances: 0 },
    moved: { instance: { ...resources, host: 'a' } },
    volumes: { volume: 40 },
  });
  for (const [actionType, resource, way] of [
    ['migrate', 'instance', 'live'],
    ['volume_migrate', 'volume', 'migrate'],
    ['volume_migrate', 'unknown', 'retype'],
  ] as const) {
    const inputParameters = { resource_id: resource, migration_type: way, source_node: 'a', destination_node: 'b' };
    const { uuid } = await insertAction(store.db, plan, (row) => ({ ...row, actionType, inputParameters }));
    await store.db.actions.transition(uuid, 'begin', { set: { startedAt: new Date(0) } });
    await store.db.actions.transition(uuid, 'succeed', { set: { endedAt: new Date(60_000) } });
  }

  const edges = await store.planWork.edges([plan.id]);
  expect(edges.map(({ actionType, size }) => [actionType, size])).toEqual([
    ['migrate', 2048],
    ['volume_migrate', 40],
    ['volume_migrate', null],
  ]);
  const undone = { resource_id: 'instance', migration_type: 'live', source_node: 'a', destination_node: 'b' };
  const inputParameters = { action_type: 'migrate', input_parameters: undone };
  await insertAction(store.db, plan, (row) => ({ ...row, actionType: 'revert', inputParameters }));
  const hosts = (await store.planWork.edges([plan.id])).map(({ sourceHost, destinationHost }) => [
    sourceHost,
    destinationHost,
  ]);
  expect(hosts).toEqual([...Array.from({ length: 3 }, () => ['a', 'b']), ['b', 'a']]);
  const finished = await store.actionDurations.finished(['migrate', 'volume_migrate'], 10);
  expect(finished.map(({ migrationType, seconds, size }) => [migrationType, seconds, size])).toEqual([
    ['live', 60, 2048],
    ['retype', 60, null],
    ['migrate', 60, 40],
  ]);
});
