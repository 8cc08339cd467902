import { expect, it } from 'vitest';
import { isUp, type SimulatedNode } from '../cloud/entities.ts';
import { manualSimulation, smallWorld } from '../testing/simulation-fixture.ts';

function setUp() {
  const world = smallWorld([{}], {
    baremetal_nodes: [
      { name: 'n1', host: 'compute-1' },
      { name: 'n2', host: 'compute-2', power_state: 'power off' },
    ],
  });
  const { simulation, pass } = manualSimulation(world);
  const [n1, n2] = [...simulation.state.nodes.values()] as [SimulatedNode, SimulatedNode];
  return { simulation, pass, n1, n2, power: simulation.nodePower };
}

it('a change takes time, and the compute host follows the machine', () => {
  const { simulation, pass, n1, n2, power } = setUp();
  const host = (name: string) => simulation.state.hosts.get(name);
  expect([n1, n2].map((node) => node.host && isUp(node.host))).toEqual([true, false]);
  power.change(n1, 'power off');
  expect(n1).toMatchObject({ powerState: 'power on', targetPowerState: 'power off' });
  expect(() => power.change(n1, 'power on')).toThrow('is locked');
  pass(16);
  expect(n1).toMatchObject({ powerState: 'power off', targetPowerState: null, lastError: null });
  expect(host('compute-1')?.powered).toBe(false);
  power.change(n2, 'power on');
  pass(16);
  expect(n2.powerState).toBe('power on');
  expect(host('compute-2')?.powered).toBe(false);
  pass(61);
  expect(host('compute-2')?.powered).toBe(true);
});

it('a fault ends it in last_error, which the next change clears', () => {
  const { simulation, pass, n1, power } = setUp();
  simulation.faults.add({ kind: 'power-error', node: 'n1', message: 'no answer', count: 1 });
  power.change(n1, 'power off');
  pass(16);
  expect(n1).toMatchObject({ powerState: 'power on', targetPowerState: null, lastError: 'no answer' });
  power.change(n1, 'power off');
  expect(n1.lastError).toBeNull();
  pass(16);
  expect(n1.powerState).toBe('power off');
});

it('migrations of a host that is powered off fail', () => {
  const { simulation, pass, n1, power } = setUp();
  const [server] = simulation.state.servers.values();
  if (!server) throw new Error('no server');
  power.change(n1, 'power off');
  pass(14);
  const caller = { projectId: 'p', userId: 'u', requestId: 'r' };
  const record = simulation.live.start(server, null, caller, false);
  pass(2);
  expect(record).toMatchObject({ status: 'error', reason: 'host compute-1 is down' });
});
