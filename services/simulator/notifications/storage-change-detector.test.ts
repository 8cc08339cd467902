import { expect, it } from 'vitest';
import { manualSimulation, smallWorld } from '../simulation-fixture.ts';
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

it('tells of volumes and pools as Cinder does, and of each change once', () => {
  const { simulation, volume, changes, names } = setUp();
  expect(names()).toEqual([]);
  const [server] = simulation.state.servers.values();
  volume.attachedTo = server ?? null;
  volume.sizeGb = 50;
  const events = changes();
  expect(events.map(({ eventType }) => eventType)).toEqual(['volume.resize.end', 'volume.attach.end', 'capacity.pool']);
  expect(events[1]).toMatchObject({
    publisher: 'volume.s1@lvm',
    payload: {
      volume_id: volume.uuid,
      size: 50,
      status: 'in-use',
      volume_attachment: [{ instance_uuid: server?.uuid }],
    },
  });
  expect(events[2]).toMatchObject({
    publisher: `capacity.${volume.pool}`,
    payload: { name_to_id: volume.pool, total: 100, allocated: 50 },
  });
  expect(names()).toEqual([]);
  simulation.state.volumes.delete(volume.uuid);
  expect(names()).toEqual(['volume.delete.end', 'capacity.pool']);
});

it('does not tell where a migration has brought a volume, but what it took of the pools, and of a new type', () => {
  const { simulation, pass, volume, names } = setUp();
  simulation.volumeOperations.migrate(volume, 's1@lvm#two', false);
  pass(200);
  expect(new Set(names())).toEqual(new Set(['capacity.pool']));
  simulation.volumeOperations.retype(volume, 'ceph', 'on-demand');
  pass(200);
  expect(names()).toContain('volume.retype');
});
