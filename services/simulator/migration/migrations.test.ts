import { describe, expect, it } from 'vitest';
import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import { serverStatus } from '../compute/server-status.ts';
import type { Simulation } from '../create-simulation.ts';
import { manualSimulation, smallWorld } from '../testing/simulation-fixture.ts';

const caller = { projectId: 'p', userId: 'u', requestId: 'req-1' };

function firstServer(simulation: Simulation): SimulatedServer {
  return [...simulation.state.servers.values()][0] as SimulatedServer;
}
function hostNamed(simulation: Simulation, name: string): SimulatedHost {
  return simulation.state.hosts.get(name) as SimulatedHost;
}

describe('live migration', () => {
  it('passes through its states, copies memory at the bandwidth, and moves server and allocation', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const source = server.host;
    const dest = hostNamed(simulation, 'compute-2');
    const record = simulation.live.start(server, dest, caller, false);
    expect([record.status, serverStatus(server), server.taskState]).toEqual(['accepted', 'MIGRATING', 'migrating']);
    pass(0.6);
    expect([record.status, record.dest?.name]).toEqual(['queued', 'compute-2']);
    expect(simulation.ledger.usage(source).VCPU).toBe(1);
    expect([...simulation.ledger.consumersOf(source).keys()]).toEqual([record.uuid]);
    expect([...simulation.ledger.consumersOf(dest).keys()]).toEqual([server.uuid]);
    pass(2.1 + 0.9);
    expect(record.status).toBe('running');
    simulation.live.refresh(record);
    expect(record.memory.totalMib).toBeGreaterThan(1850);
    expect(record.memory.remainingMib).toBeCloseTo(record.memory.totalMib - 900, -1);
    expect(server.host).toBe(source);
    pass(1.2);
    expect(record.status).toBe('post-migrating');
    pass(1);
    expect([record.status, server.host.name, serverStatus(server), server.taskState]).toEqual([
      'completed',
      'compute-2',
      'ACTIVE',
      null,
    ]);
    expect(simulation.ledger.usage(source)).toEqual({ VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0, VGPU: 0 });
    expect(source.servers.size).toBe(0);
    expect(dest.servers.has(server)).toBe(true);
  });

  it('ends the same way in one time step or in many', () => {
    const updatedAt = [100, 1, 0.05].map((step) => {
      const { simulation, pass } = manualSimulation(smallWorld([{}, {}, {}]));
      for (const server of simulation.state.servers.values()) simulation.live.start(server, null, caller, true);
      for (let passed = 0; passed < 100; passed += step) pass(step);
      return [...simulation.state.servers.values()].map((server) => server.host.name);
    });
    expect(updatedAt[1]).toEqual(updatedAt[0]);
    expect(updatedAt[2]).toEqual(updatedAt[0]);
  });

  it('is refused with 409 while one runs, and for a stopped server', () => {
    const { simulation } = manualSimulation(smallWorld([{}, { state: 'stopped' }]));
    const [running, stopped] = [...simulation.state.servers.values()] as [SimulatedServer, SimulatedServer];
    simulation.live.start(running, null, caller, false);
    expect(() => simulation.live.start(running, null, caller, false)).toThrow(/task_state migrating/);
    expect(() => simulation.live.start(stopped, null, caller, false)).toThrow(/vm_state stopped/);
  });

  it('from a host that is down is refused by the conductor, and leaves an error record', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    simulation.faults.add({ kind: 'host-down', host: server.host.name });
    expect(() => simulation.live.start(server, null, caller, true)).toThrow(/compute-1 is unavailable/);
    const record = simulation.live.start(server, null, caller, false);
    pass(1);
    expect([record.status, serverStatus(server), server.host.name]).toEqual(['error', 'ACTIVE', 'compute-1']);
  });

  it('needs a running or paused guest, independent of the vm_state', () => {
    const { simulation } = manualSimulation(smallWorld([{ power_state: 4 }, { state: 'paused' }]));
    const [off, paused] = [...simulation.state.servers.values()] as [SimulatedServer, SimulatedServer];
    expect(() => simulation.live.start(off, null, caller, true)).toThrow(/power_state 4/);
    expect(simulation.live.start(paused, null, caller, true).status).toBe('queued');
  });

  it('to a disabled host leaves an error record without destination and an ACTIVE server', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const dest = hostNamed(simulation, 'compute-2');
    dest.status = 'disabled';
    const record = simulation.live.start(server, dest, caller, false);
    pass(1);
    expect([record.status, record.dest, serverStatus(server), server.taskState]).toEqual([
      'error',
      null,
      'ACTIVE',
      null,
    ]);
    expect(record.reason).toMatch(/No valid host/);
    expect(() => simulation.live.start(server, dest, caller, true)).toThrow(/No valid host/);
    expect(simulation.ledger.usage(server.host).VCPU).toBe(1);
  });

  it('can be aborted while it runs, and frees the destination', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const dest = hostNamed(simulation, 'compute-2');
    const record = simulation.live.start(server, dest, caller, false);
    pass(3);
    simulation.live.abort(record);
    pass(60);
    expect([record.status, server.host.name, server.taskState]).toEqual(['cancelled', 'compute-1', null]);
    expect(simulation.ledger.usage(dest).VCPU).toBe(0);
    expect([...simulation.ledger.consumersOf(server.host).keys()]).toEqual([server.uuid]);
    expect(() => simulation.live.abort(record)).toThrow(/can not be aborted/);
  });

  it('fails on request, for the number of times of the fault', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    simulation.faults.add({ kind: 'migration-error', server: server.uuid, count: 1, message: 'pulled the plug' });
    const failed = simulation.live.start(server, null, caller, false);
    pass(30);
    expect([failed.status, failed.reason, server.host.name]).toEqual(['error', 'pulled the plug', 'compute-1']);
    const second = simulation.live.start(server, null, caller, false);
    pass(30);
    expect(second.status).toBe('completed');
  });

  it('fails when its destination goes down, which is then refused', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const dest = hostNamed(simulation, 'compute-2');
    const record = simulation.live.start(server, dest, caller, false);
    pass(3);
    const fault = simulation.faults.add({ kind: 'host-down', host: 'compute-2' });
    expect([record.status, server.host.name]).toEqual(['error', 'compute-1']);
    expect(() => simulation.live.start(server, dest, caller, true)).toThrow(/No valid host/);
    simulation.faults.remove(fault.id);
    expect(simulation.live.start(server, dest, caller, true).status).toBe('queued');
  });
});

describe('cold migration and resize', () => {
  it('is refused from a host that is down', () => {
    const { simulation } = manualSimulation();
    const server = firstServer(simulation);
    server.host.forcedDown = true;
    const start = () => simulation.cold.start(server, { host: null, newFlavor: null }, caller);
    expect(start).toThrow(/Service is unavailable/);
    expect(server.taskState).toBeNull();
  });

  it('copies a local disk, waits in VERIFY_RESIZE, and frees the source when confirmed', () => {
    const { simulation, pass } = manualSimulation(smallWorld([{}], { storage: 'local' }));
    const server = firstServer(simulation);
    const source = server.host;
    const record = simulation.cold.start(server, { host: null, newFlavor: null }, caller);
    pass(1);
    expect([record.status, serverStatus(server)]).toEqual(['migrating', 'RESIZE']);
    pass(0.5 + 5 + 3);
    expect(record.status).toBe('post-migrating');
    pass(9);
    expect([record.status, serverStatus(server), server.taskState]).toEqual(['finished', 'VERIFY_RESIZE', null]);
    expect(server.host).not.toBe(source);
    expect(simulation.ledger.usage(source).VCPU).toBe(1);
    simulation.cold.confirm(server, caller);
    expect([record.status, serverStatus(server)]).toEqual(['confirmed', 'ACTIVE']);
    expect(simulation.ledger.usage(source).VCPU).toBe(0);
    expect(() => simulation.cold.confirm(server, caller)).toThrow(/vm_state active/);
  });

  it('a resize changes the allocation and a revert restores everything', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const source = server.host;
    const large = simulation.state.flavors.get('large') ?? null;
    const record = simulation.cold.start(server, { host: null, newFlavor: large }, caller);
    pass(60);
    const dest = server.host;
    expect([server.flavor.name, simulation.ledger.usage(dest).VCPU]).toEqual(['large', 6]);
    simulation.cold.revert(server, caller);
    expect(serverStatus(server)).toBe('REVERT_RESIZE');
    pass(10);
    expect([record.status, server.host, server.flavor.name]).toEqual(['reverted', source, 'small']);
    expect([simulation.ledger.usage(dest).VCPU, simulation.ledger.usage(source).VCPU]).toEqual([0, 1]);
  });

  it('without room on any host fails in the record and leaves the server unchanged', () => {
    const full = ['compute-2', 'compute-3'].map((host) => ({ host, flavor: 'large' }));
    const { simulation, pass } = manualSimulation(smallWorld([{ flavor: 'large', state: 'stopped' }, ...full]));
    const server = firstServer(simulation);
    const record = simulation.cold.start(server, { host: null, newFlavor: null }, caller);
    pass(5);
    expect([record.status, serverStatus(server)]).toEqual(['error', 'SHUTOFF']);
    expect(server.actions[0]?.fault).toMatch(/No valid host/);
  });
});

describe('evacuation', () => {
  const start = (simulation: Simulation, server: SimulatedServer, host: SimulatedHost | null = null) =>
    simulation.evacuations.start(server, { host, staysOff: false }, caller);

  it('rebuilds a server elsewhere, with allocations on both hosts until its source restarts', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    const source = server.host;
    const fault = simulation.faults.add({ kind: 'host-down', host: source.name });
    const record = start(simulation, server, hostNamed(simulation, 'compute-2'));
    expect([record.type, record.status, serverStatus(server)]).toEqual(['evacuation', 'accepted', 'REBUILD']);
    pass(1);
    expect([record.status, server.host.name]).toEqual(['pre-migrating', 'compute-1']);
    pass(10);
    expect([record.status, server.host.name, serverStatus(server)]).toEqual(['done', 'compute-2', 'ACTIVE']);
    expect([...simulation.ledger.hostsOf(server.uuid).keys()].map(({ name }) => name)).toEqual([
      'compute-1',
      'compute-2',
    ]);
    simulation.faults.remove(fault.id);
    expect(record.status).toBe('completed');
    expect([...simulation.ledger.hostsOf(server.uuid).keys()].map(({ name }) => name)).toEqual(['compute-2']);
  });

  it('keeps a stopped server stopped, and starts one in error', () => {
    const { simulation, pass } = manualSimulation(smallWorld([{ state: 'stopped' }, { state: 'error' }]));
    const servers = [...simulation.state.servers.values()];
    hostNamed(simulation, 'compute-1').forcedDown = true;
    for (const server of servers) start(simulation, server);
    pass(11);
    expect(servers.map((server) => serverStatus(server))).toEqual(['SHUTOFF', 'ACTIVE']);
  });

  it('is refused while the host is up, and for a state that Nova does not evacuate', () => {
    const { simulation } = manualSimulation(smallWorld([{}, { state: 'paused' }]));
    const [running, paused] = [...simulation.state.servers.values()] as [SimulatedServer, SimulatedServer];
    expect(() => start(simulation, running)).toThrow(/still in use/);
    expect(() => start(simulation, paused)).toThrow(/vm_state paused/);
  });

  it('leaves the server in ERROR on its host when no host accepts it, and can be repeated', () => {
    const { simulation, pass } = manualSimulation();
    const server = firstServer(simulation);
    server.host.forcedDown = true;
    for (const name of ['compute-2', 'compute-3']) hostNamed(simulation, name).status = 'disabled';
    const record = start(simulation, server);
    pass(1);
    expect([record.status, serverStatus(server), server.host.name]).toEqual(['error', 'ERROR', 'compute-1']);
    hostNamed(simulation, 'compute-3').status = 'enabled';
    start(simulation, server);
    pass(11);
    expect([serverStatus(server), server.host.name]).toEqual(['ACTIVE', 'compute-3']);
  });
});
