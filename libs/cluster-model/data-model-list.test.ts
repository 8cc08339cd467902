import { expect, test } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { toDataModelList } from './data-model-list.ts';
import { applyScope } from './scope.ts';

const world = createTestWorld({
  hosts: [
    { hostname: 'full', vcpus: 8, memory: 16_384, disk: 100 },
    { hostname: 'empty', vcpus: 4, memory: 8192, disk: 50 },
  ],
  instances: [
    { name: 'one', host: 'full', vcpus: 2, memory: 2048, disk: 10 },
    { name: 'two', host: 'full', vcpus: 1, memory: 1024, disk: 5 },
  ],
});
const uuidOf = (name: string) => world.instanceInfo.find((info) => info.name === name)?.uuid ?? '';

test('one row per instance, one for a node without instances, ordered by uuid', () => {
  const rows = toDataModelList(world);

  expect(rows).toHaveLength(3);
  const nodes = rows.map((row) => String(row.node_uuid));
  expect(nodes).toEqual([...nodes].sort());
  const servers = rows.filter((row) => row.node_hostname === 'full').map((row) => String(row.server_uuid));
  expect(servers).toEqual([uuidOf('one'), uuidOf('two')].sort());
  const bare = rows.find((row) => row.node_hostname === 'empty') ?? {};
  expect(Object.keys(bare).every((key) => key.startsWith('node_'))).toBe(true);
});

test('a row has every field of the frozen list', () => {
  const row = toDataModelList(world).find((candidate) => candidate.server_name === 'one');

  expect(row).toEqual({
    node_uuid: expect.any(String),
    node_hostname: 'full',
    node_status: 'enabled',
    node_disabled_reason: null,
    node_state: 'up',
    node_memory: 16_384,
    node_memory_mb_reserved: 0,
    node_memory_ratio: expect.any(Number),
    node_disk: 100,
    node_disk_gb_reserved: 0,
    node_disk_ratio: expect.any(Number),
    node_vcpus: 8,
    node_vcpu_reserved: 0,
    node_vcpu_ratio: expect.any(Number),
    server_uuid: uuidOf('one'),
    server_watcher_exclude: false,
    server_name: 'one',
    server_state: 'active',
    server_memory: 2048,
    server_disk: 10,
    server_vcpus: 2,
    server_metadata: {},
    server_project_id: expect.any(String),
    server_locked: false,
    server_pinned_az: '',
    server_flavor_extra_specs: {},
  });
});

test('an excluded instance stays and is marked; an excluded node goes with its instances', () => {
  const excluded = applyScope(world, [{ compute: [{ exclude: [{ instances: [{ uuid: uuidOf('two') }] }] }] }]);
  const marked = toDataModelList(excluded.snapshot).filter((row) => row.server_watcher_exclude === true);
  expect(marked.map((row) => row.server_name)).toEqual(['two']);

  const without = applyScope(world, [{ compute: [{ exclude: [{ compute_nodes: [{ name: 'full' }] }] }] }]);
  expect(toDataModelList(without.snapshot).map((row) => row.node_hostname)).toEqual(['empty']);
});
