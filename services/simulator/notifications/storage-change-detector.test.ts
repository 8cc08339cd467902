import { expect, it } from 'vitest';
import { manualSimulation, smallWorld } from '../testing/simulation-fixture.ts';
import type { SimulatedEvent } from './change-detector.ts';
import { createStorageChangeDetector } from './storage-change-detector.ts';

function setUp() {
  const pools = ['one', 'two'].map((name) => ({ name: `s1@lvm#${name}`, total_gb: 100, backend_name: 'lvm' }));
  const spare = { name: 's2@ceph#all', total_gb: 100, backend_name: 'ceph' };
  const types = ['lvm', 'ceph'].map((name) => ({ name, extra_specs: { volume_backend_name: name } }));
  const world = smallWorld([{}], {
    pools: [...pools, spare],
    volume_types: types,
    volumes: [{ name: 'data', size_gb: 40, type: 'lvm' }],
  });
  const { simulation, pass } = manualSimulation(world);
  const [volume] = [...simulation.state.volumes.values()];
  const changes = createStorageChangeDetector(simulation.state);
  return { simulation, pass, volume: volume!, changes, names: () => changes().map(({ eventType }) => eventType) };
}

it('the detector reports volumes and pools as Cinder does, and each change once', () => {
  const { simulation, pass, volume, changes, names } = setUp();
  expect(names()).toEqual([]);
  const [server] = simulation.state.servers.values();
  volume.attachedTo = server ?? null;
  volume.sizeGb = 50;
  const events = changes();
  expect(events.map(({ eventType }) => eventType)).toEqual(['volume.resize.end', 'volume.attach.end']);
  pass(59);
  expect(names()).toEqual([]);
  pass(1);
  const [report, ...others] = changes();
  expect(events[1]).toMatchObject({
    publisher: 'volume.s1@lvm',
    payload: {
      volume_id: volume.uuid,
      size: 50,
      status: 'in-use',
      volume_attachment: [{ instance_uuid: server?.uuid }],
    },
  });
  expect(report).toMatchObject({
    publisher: `capacity.${volume.pool}`,
    payload: { name_to_id: volume.pool, total: 100, allocated: 50 },
  });
  expect(others).toEqual([]);
  expect(names()).toEqual([]);
  simulation.state.volumes.delete(volume.uuid);
  expect(names()).toEqual(['volume.delete.end']);
  pass(60);
  expect(names()).toEqual(['capacity.pool']);
});

it('the detector reports only the pool space of the migration of a detached volume', () => {
  const { simulation, pass, volume, names } = setUp();
  simulation.volumeOperations.migrate(volume, 's1@lvm#two', false);
  const reported = new Set<string>();
  for (let second = 0; second < 200; second++) {
    pass(1);
    for (const name of names()) reported.add(name);
  }
  expect(volume.pool).toBe('s1@lvm#two');
  expect(reported).toEqual(new Set(['capacity.pool']));
});

it('the detector reports the migration of an attached volume as Cinder does', () => {
  const { simulation, pass, volume, changes } = setUp();
  const [server] = simulation.state.servers.values();
  volume.attachedTo = server ?? null;
  changes();
  simulation.volumeOperations.migrate(volume, 's1@lvm#two', false);
  const reported: SimulatedEvent[] = [];
  for (let second = 0; second < 200; second += 5) {
    pass(5);
    reported.push(...changes().filter(({ eventType }) => eventType !== 'capacity.pool'));
  }
  expect(reported.map(({ eventType }) => eventType)).toEqual(['volume.attach.end', 'volume.detach.end']);
  const [attached, detached] = reported.map(({ payload }) => payload as Record<string, unknown>);
  // The temporary volume, which is in no notification before or after.
  expect(attached?.volume_id).not.toBe(volume.uuid);
  expect(attached).toMatchObject({
    display_name: 'data',
    host: 's1@lvm#two',
    status: 'in-use',
    volume_attachment: [{ instance_uuid: server?.uuid }],
  });
  expect(detached).toMatchObject({
    volume_id: volume.uuid,
    host: 's1@lvm#one',
    status: 'in-use',
    volume_attachment: [],
  });
});

it('the detector reports the start of a change of type, but not its end', () => {
  const { simulation, pass, volume, changes, names } = setUp();
  simulation.volumeOperations.retype(volume, 'ceph', 'on-demand');
  const [event, ...others] = changes();
  expect(event).toMatchObject({ eventType: 'volume.retype', payload: { status: 'retyping', host: 's1@lvm#one' } });
  expect(others).toEqual([]);
  pass(200);
  expect(volume).toMatchObject({ type: 'ceph', pool: 's2@ceph#all' });
  expect(new Set(names())).toEqual(new Set(['capacity.pool']));
});
