import { expect, it } from 'vitest';
import type { BaremetalNode } from '#libs/openstack';
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
    computeNodeId: `hypervisor ${uuid}`,
    extra: {},
    ...changes,
  };
}

it('tells machines by their power, unknown while it changes', () => {
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
