import type { BaremetalNode, BaremetalPort, PowerTarget } from '#libs/openstack';
import { OpenStackError } from '#libs/openstack';
import type { FakeCaller } from './fake-caller.ts';

/** A node of a fake cloud. A test may change it at any time. */
export type FakeNode = BaremetalNode & {
  /** The next change of its power ends with this `last_error`. */
  failure: string | null;
};

/** Fills in the defaults: powered on, healthy, without a hypervisor. */
export function fakeNode(node: Partial<FakeNode> & { uuid: string }): FakeNode {
  const common = { name: null, powerState: 'power on', targetPowerState: null, provisionState: 'active' };
  const healthy = { maintenance: false, maintenanceReason: null, lastError: null, computeNodeId: null, failure: null };
  const unchanged = { powerChangedAt: null };
  return { ...common, ...healthy, ...unchanged, extra: {}, ...node };
}

/** Ironic of a fake cloud: a change of power takes `reads` reads of the node. */
export function createFakeBaremetal(nodes: Map<string, FakeNode>, caller: FakeCaller, reads: number): BaremetalPort {
  const left = new Map<FakeNode, number>();
  let changes = 0;

  function read(node: FakeNode): FakeNode {
    const pollsLeft = left.get(node);
    if (pollsLeft === undefined) return node;
    left.set(node, pollsLeft - 1);
    if (pollsLeft > 1) return node;
    left.delete(node);
    if (node.failure === null) node.powerState = node.targetPowerState;
    node.lastError = node.failure;
    node.targetPowerState = null;
    return node;
  }

  return {
    listNodes: () => caller.call('listNodes', '', () => [...nodes.values()].map((node) => ({ ...read(node) }))),
    getNode: (id) =>
      caller.call('getNode', id, () => {
        const node = nodes.get(id);
        return node ? { ...read(node) } : null;
      }),
    setPowerState: (id, target: PowerTarget) =>
      caller.mutate('setPowerState', id, target, () => {
        const node = nodes.get(id);
        const request = 'PUT /nodes/states/power';
        if (!node) throw new OpenStackError('baremetal', request, 404, `Node ${id} could not be found.`);
        if (node.targetPowerState !== null) {
          throw new OpenStackError('baremetal', request, 409, `Node ${id} is locked by host fake.`);
        }
        node.targetPowerState = target;
        node.lastError = null;
        node.powerChangedAt = new Date(Date.UTC(2026, 0, 1) + ++changes).toISOString();
        left.set(node, reads);
      }),
  };
}
