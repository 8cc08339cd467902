import { expect, it } from 'vitest';
import { plannerCatalogue } from '#libs/planners';
import type { PlannedAction, StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import { buildCloudState } from '../cloud/build-cloud-state.ts';
import { resourcesOf, type SimulatedHost, type SimulatedServer } from '../cloud/entities.ts';
import { smallWorld } from '../simulation-fixture.ts';
import type { WorldFile, WorldHost } from '../world/world-file.ts';
import { refusalOf } from './select-host.ts';

/** Worlds; a bigger run is asked for with VIGIL_TEST_WORLDS. */
const worlds = Number(process.env.VIGIL_TEST_WORLDS ?? 200);
/** Strategies that name the destination of every move. */
const names = [
  'workload_stabilization',
  'vm_workload_consolidation',
  'workload_balance',
  'basic',
  'allocation_balance',
];

type Random = () => number;

function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function randomHost(random: Random, index: number): WorldHost {
  return {
    hostname: `compute-${index}`,
    vcpus: pick(random, [8, 16]),
    memory_mb: pick(random, [16_384, 32_768]),
    disk_gb: 500,
    cpu_allocation_ratio: pick(random, [1, 1.5, 4]),
    ram_allocation_ratio: pick(random, [1, 1.2]),
    reserved_memory_mb: pick(random, [0, 512]),
    zone: pick(random, ['east', 'east', 'west']),
    traits: random() < 0.4 ? ['CUSTOM_SSD'] : [],
    status: random() < 0.1 ? 'disabled' : 'enabled',
    state: random() < 0.1 ? 'down' : 'up',
  };
}

const specs: Record<string, string>[] = [
  {},
  {},
  {},
  { 'trait:CUSTOM_SSD': 'required' },
  { 'trait:CUSTOM_SSD': 'forbidden' },
  { 'aggregate_instance_extra_specs:fast': 'true' },
  { 'hw:mem_page_size': 'large' },
  { 'hw:cpu_policy': 'dedicated' },
  { 'hw:numa_nodes': '2' },
];

function randomWorld(random: Random): WorldFile {
  const hosts = Array.from({ length: 3 + Math.floor(random() * 8) }, (_, index) => randomHost(random, index));
  const some = () => hosts.filter(() => random() < 0.3).map(({ hostname }) => hostname);
  const flavors = specs.map((extra_specs, index) => ({
    name: `f${index}`,
    vcpus: pick(random, [1, 2, 4]),
    ram_mb: pick(random, [1024, 2048, 4096]),
    disk_gb: 10,
    extra_specs,
  }));
  const servers = Array.from({ length: hosts.length * 4 }, (_, index) => ({
    name: `vm-${index}`,
    flavor: `f${Math.floor(random() * flavors.length)}`,
    host: pick(random, hosts).hostname,
    project: pick(random, ['demo', 'other']),
    locked: random() < 0.05,
    ...(random() < 0.1 ? { pinned_zone: 'east' } : {}),
    ...(random() < 0.3 ? { group: pick(random, ['apart', 'together', 'soft']) } : {}),
  }));
  return {
    ...smallWorld(servers),
    hosts,
    flavors,
    aggregates: [{ name: 'fast', hosts: some(), metadata: { fast: 'true' } }],
    server_groups: [
      { name: 'apart', policy: 'anti-affinity', max_server_per_host: 2 },
      { name: 'together', policy: 'affinity' },
      { name: 'soft', policy: 'soft-anti-affinity' },
    ],
  };
}

function snapshotOf(world: WorldFile) {
  return createTestWorld({
    hosts: world.hosts.map((host) => ({
      hostname: host.hostname,
      vcpus: host.vcpus,
      vcpusRatio: host.cpu_allocation_ratio,
      memory: host.memory_mb,
      memoryRatio: host.ram_allocation_ratio,
      memoryReserved: host.reserved_memory_mb,
      disk: host.disk_gb,
      zone: host.zone,
      traits: host.traits,
      status: host.status,
      state: host.state,
      aggregates: (world.aggregates ?? []).filter(({ hosts }) => hosts.includes(host.hostname)).map(({ name }) => name),
    })),
    instances: world.servers.map((server) => {
      const flavor = world.flavors.find(({ name }) => name === server.flavor);
      return {
        name: server.name,
        host: server.host,
        vcpus: flavor?.vcpus,
        memory: flavor?.ram_mb,
        disk: flavor?.disk_gb,
        locked: server.locked,
        group: server.group,
        pinnedZone: server.pinned_zone,
        flavorExtraSpecs: flavor?.extra_specs,
      };
    }),
    groups: (world.server_groups ?? []).map(({ name, policy, max_server_per_host }) => ({
      name,
      policy,
      maxServerPerHost: max_server_per_host,
    })),
    aggregates: world.aggregates,
  });
}

/** Executes a plan on the simulated cloud, one action after the other; answers what its scheduler refuses. */
function execute(world: WorldFile, plan: readonly PlannedAction[]): { moves: number; refused: string[] } {
  const context = buildCloudState(world);
  const { state, ledger } = context;
  const servers = new Map([...state.servers.values()].map((server) => [testUuid(server.name), server]));
  const refused: string[] = [];
  let moves = 0;
  for (const { actionType, inputParameters: input } of plan) {
    if (actionType === 'change_nova_service_state') {
      const host = state.hosts.get(String(input.resource_name)) as SimulatedHost;
      host.status = input.state === 'enabled' ? 'enabled' : 'disabled';
      continue;
    }
    const server = servers.get(String(input.resource_id)) as SimulatedServer;
    const destination = state.hosts.get(String(input.destination_node)) as SimulatedHost;
    const refusal = refusalOf(destination, { server, flavor: server.flavor, requested: destination }, context);
    if (refusal !== null) refused.push(`${server.name} to ${destination.name}: ${refusal}`);
    ledger.release(server.uuid, server.host);
    ledger.claim(server.uuid, destination, resourcesOf(server.flavor, server.bootFromVolume));
    server.host.servers.delete(server);
    destination.servers.add(server);
    server.host = destination;
    moves++;
  }
  return { moves, refused };
}

async function planOf(strategy: StrategyPlugin, world: WorldFile, seed: number): Promise<PlannedAction[]> {
  const snapshot = snapshotOf(world);
  const random = randomOf(seed);
  const cpu = Object.fromEntries(world.servers.map(({ name }) => [name, 100 * random()]));
  const host = Object.fromEntries(world.hosts.map(({ hostname }) => [hostname, 100 * random()]));
  const metrics = { instance_cpu_usage: cpu, host_cpu_usage: host, instance_ram_usage: 512 };
  const { actions } = await runStrategy(strategy, { snapshot, metrics });
  const planner = plannerCatalogue.find(({ name }) => name === 'resource');
  let next = 0;
  const limits = { parallelMigrations: 10, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 };
  return planner?.plan(actions, { snapshot, limits, newUuid: () => `a${next++}` }) ?? [];
}

it(`accepts every move of the plans of ${worlds} random clouds`, async () => {
  const strategies = strategyCatalogue.filter(({ manifest }) => names.includes(manifest.name));
  const moves = new Map(names.map((name) => [name, 0]));
  for (let seed = 1; seed <= worlds; seed++) {
    const world = randomWorld(randomOf(seed * 7919));
    for (const strategy of strategies) {
      const { name } = strategy.manifest;
      const outcome = execute(world, await planOf(strategy, world, seed));
      expect(outcome.refused, `${name}, world ${seed}`).toEqual([]);
      moves.set(name, (moves.get(name) ?? 0) + outcome.moves);
    }
  }
  for (const [name, count] of moves) expect(count, name).toBeGreaterThan(worlds / 10);
}, 120_000);
