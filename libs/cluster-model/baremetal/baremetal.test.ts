import { expect, it } from 'vitest';
import type { BaremetalNode } from '#libs/openstack';
import { applyBaremetalScope } from './baremetal-scope.ts';
import { buildBaremetalSnapshot } from './baremetal-snapshot.ts';

function node(uuid: string, changes: Partial<BaremetalNode> = {}): BaremetalNode {
  return {
    uuid,
    name: null,
    powerState: 'power on',
    targetPowerState: null,
    provisionState: 'active',
    maintenance: false,
    maintenanceReason: null,
    lastError: null,
    powerChangedAt: null,
    computeNodeId: `hypervisor ${uuid}`,
    extra: {},
    ...changes,
  };
}

it('shows nodes by their power, unknown while it changes', () => {
  const { nodes, complete } = buildBaremetalSnapshot({
    nodes: [
      node('e', { powerState: null }),
      node('d', { powerState: 'rebooting' }),
      node('c', { targetPowerState: 'power off' }),
      node('b', { powerState: 'power off', maintenance: true, maintenanceReason: 'fan' }),
      node('a', { targetPowerState: 'power on' }),
    ],
    takenAtMs: 1,
  });
  expect(nodes.map(({ uuid, power }) => [uuid, power])).toEqual([
    ['a', 'on'],
    ['b', 'off'],
    ['c', 'unknown'],
    ['d', 'unknown'],
    ['e', 'unknown'],
  ]);
  expect(nodes[1]).toMatchObject({ maintenance: true, maintenanceReason: 'fan', computeNodeUuid: 'hypervisor b' });
  expect(complete).toBe(true);
});

it('leaves out the machines that a scope excludes, and reports those that are not there', () => {
  const snapshot = buildBaremetalSnapshot({ nodes: [node('a'), node('b'), node('c')], takenAtMs: 1 });
  const rules = [{ exclude: [{ ironic_nodes: [{ uuid: 'b' }] }] }, { exclude: [{ ironic_nodes: [{ uuid: 'z' }] }] }];

  const { snapshot: scoped, report } = applyBaremetalScope(snapshot, [{ compute: [] }, { baremetal: rules }]);

  expect(scoped.nodes.map(({ uuid }) => uuid)).toEqual(['a', 'c']);
  expect(report).toEqual({ nodesRemoved: 1, unknown: ['bare metal node z'] });
  expect(applyBaremetalScope(snapshot, [{ compute: [] }]).snapshot).toBe(snapshot);
  expect(() => applyBaremetalScope(snapshot, [{ baremetal: [{ exclude: 'b' }] }])).toThrow(
    'baremetal.exclude: must be a list',
  );
});
