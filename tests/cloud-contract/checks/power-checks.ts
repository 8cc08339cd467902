import assert from 'node:assert/strict';
import type { BaremetalNode } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import { refusalOf, refusalOrNone } from '../refusal-of.ts';

/** Power of nodes, on the node of the emptiest compute host. Skipped without bare metal. */
export const powerChecks: readonly CloudCheck[] = [
  {
    name: 'a machine goes off and on again; meanwhile it is locked, and its compute service follows',
    async run(target) {
      const node = target.mayPowerOff ? await pickNode(target) : null;
      if (node === null) return;
      const { baremetal } = target.cloud;
      const compute = await target.cloud.compute.getHypervisor(node.computeNodeId ?? '');
      const state = async (wanted: 'up' | 'down') =>
        (await target.cloud.compute.listServices()).some(
          (one) => one.host === compute?.serviceHost && one.binary === 'nova-compute' && one.state === wanted,
        );
      const before = await baremetal.getNode(node.uuid);
      try {
        await baremetal.setPowerState(node.uuid, 'power off');
        const changing = await baremetal.getNode(node.uuid);
        if (changing?.powerState === 'power on') {
          assert.equal(changing.targetPowerState, 'power off');
          const locked = await refusalOf(baremetal.setPowerState(node.uuid, 'power on'));
          assert.equal(locked.status, 409);
          assert.match(locked.message, /is locked by host .*, please retry after/);
        }
        const { powerChangedAt } = await reached(target, node, 'power off');
        assert.notEqual(powerChangedAt, null);
        assert.notEqual(powerChangedAt, before?.powerChangedAt);
        await target.until('the compute service to be down', () => state('down'));
      } finally {
        await target.until('power on to be taken', async () => {
          const refusal = await refusalOrNone(baremetal.setPowerState(node.uuid, 'power on'));
          return refusal === null;
        });
      }
      await reached(target, node, 'power on');
      await target.until('the compute service to be up', () => state('up'));
    },
  },
];

async function pickNode({ cloud }: ContractTarget): Promise<BaremetalNode | null> {
  if (!(await cloud.hasBaremetalService())) return null;
  const nodes = await cloud.baremetal.listNodes();
  const servers = await cloud.compute.listServers({});
  const load = new Map<string, number>();
  for (const { uuid, serviceHost } of await cloud.compute.listHypervisors())
    load.set(uuid, servers.filter(({ host }) => host === serviceHost).length);
  const running = nodes.filter((node) => node.powerState === 'power on' && load.has(node.computeNodeId ?? ''));
  const [emptiest] = running.sort(
    (a, b) => (load.get(a.computeNodeId ?? '') ?? 0) - (load.get(b.computeNodeId ?? '') ?? 0),
  );
  return emptiest ?? null;
}

function reached(target: ContractTarget, node: BaremetalNode, power: string): Promise<BaremetalNode> {
  return target.until(`node ${node.name} ${power}`, async () => {
    const found = await target.cloud.baremetal.getNode(node.uuid);
    return found?.powerState === power && found.targetPowerState === null ? found : null;
  });
}
