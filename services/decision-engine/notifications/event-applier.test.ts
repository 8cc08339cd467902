import { expect, test } from 'vitest';
import { instanceFlag } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createEventApplier } from './event-applier.ts';

const world = () =>
  createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: [{ name: 'web', host: 'a', vcpus: 2 }],
  });

const update = (uuid: string, host: string, task: string | null = null) => {
  const flavor = { 'nova_object.data': { vcpus: 2, memory_mb: 1024, root_gb: 10, ephemeral_gb: 0, swap: 0 } };
  const data = { uuid, host, state: 'active', task_state: task, image_uuid: 'i', flavor };
  return { event_type: 'instance.update', payload: { 'nova_object.data': data } };
};

function applier() {
  const results: string[] = [];
  return { results, apply: createEventApplier({ logger: silentLogger, onResult: (kind) => results.push(kind) }) };
}

test('a move that started after the collection is followed', () => {
  const { apply, results } = applier();
  const snapshot = world();
  const uuid = snapshot.instanceInfo[0]!.uuid;
  const started = apply(snapshot, update(uuid, 'a', 'migrating'));
  expect(apply(started!, update(uuid, 'b'))?.instances.host[0]).toBe(1);
  expect(results).toEqual(['applied', 'applied']);
});

test('a move in progress during the collection of the model causes a new one: its room was counted twice', () => {
  const { apply, results } = applier();
  const snapshot = world();
  snapshot.instances.flags[0] = instanceFlag.busy;
  expect(apply(snapshot, update(snapshot.instanceInfo[0]!.uuid, 'b'))).toBeNull();
  expect(results).toEqual(['resync']);
});

test('events of other services change nothing', () => {
  const { apply, results } = applier();
  const snapshot = world();
  expect(apply(snapshot, { event_type: 'volume.create.end', payload: {} })).toBe(snapshot);
  expect(results).toEqual([]);
});

test('a new instance has the need of its ports, which Nova does not report', () => {
  const needOf = (uuid: string) => (uuid === 'new' ? ('device' as const) : undefined);
  const apply = createEventApplier({ logger: silentLogger, onResult: () => undefined, ports: { needOf } });
  const next = apply(world(), update('new', 'a'));
  expect(next?.instanceInfo.map(({ ports }) => ports).sort()).toEqual(['device', undefined]);
});
