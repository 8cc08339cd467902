import { expect, it } from 'vitest';
import type { BaremetalSnapshot, ComputeSnapshot } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import { plannerCatalogue } from '#libs/planners';
import type { PlannedAction, PlannerPlugin } from '#libs/plugin-kit';
import { runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import type { WorldFile } from '#libs/world-file';
import { playPlan } from './testing/play-plan.ts';
import { pick, type Random, randomOf, randomWorld, snapshotOf } from './testing/random-clouds.ts';

/** Number of worlds. VIGIL_PROPERTY_RUNS sets more. */
const worlds = Number(process.env.VIGIL_PROPERTY_RUNS ?? 60);

interface Case {
  name: string;
  strategy: string;
  parameters?: (world: WorldFile, random: Random) => JsonObject;
  /** Minimum number of plans with moves. Default: a tenth of the worlds. */
  leastShare?: number;
}

const anyHost = ({ hosts }: WorldFile, random: Random) => pick(random, hosts).hostname;

/** Every strategy that moves instances or switches hosts off, in each of its variants. */
const cases: Case[] = [
  ...['workload_stabilization', 'allocation_balance', 'noisy_neighbor'],
  ...['outlet_temperature', 'uniform_airflow', 'workload_balance'],
].map((strategy) => ({ name: strategy, strategy }));
/** These small worlds have no room for a reserve. Hosts can be freed only at full allocation. */
const packed = { failure_reserve: 0, target_utilization: { vcpus: 100, memory: 100, disk: 100 } };
for (const strategy of ['vm_workload_consolidation', 'basic']) {
  cases.push({ name: strategy, strategy, leastShare: 0 });
  cases.push({ name: `${strategy}, packed`, strategy, parameters: () => packed });
}
cases.push(
  {
    name: 'consolidation_optimizer, packed',
    strategy: 'consolidation_optimizer',
    parameters: () => ({ reserve_hosts: 0, target_utilization: packed.target_utilization, time_limit: 1 }),
  },
  { name: 'placement_optimizer', strategy: 'placement_optimizer', parameters: () => ({ time_limit: 1 }) },
  { name: 'balance_optimizer', strategy: 'balance_optimizer', parameters: () => ({ preset: 'even', time_limit: 1 }) },
  {
    name: 'balance_optimizer, relief',
    strategy: 'balance_optimizer',
    parameters: () => ({ time_limit: 1 }),
    leastShare: 0,
  },
  { name: 'saving_energy', strategy: 'saving_energy', leastShare: 0 },
  {
    name: 'failed_host_evacuation',
    strategy: 'failed_host_evacuation',
    parameters: ({ hosts }, random) => ({
      fenced_hosts: hosts.filter(() => random() < 0.5).map(({ hostname }) => hostname),
      local_disks: 'evacuate',
    }),
  },
  {
    name: 'node_resource_consolidation, Nova chooses',
    strategy: 'node_resource_consolidation',
    parameters: () => packed,
  },
  {
    name: 'node_resource_consolidation, named',
    strategy: 'node_resource_consolidation',
    parameters: () => ({ host_choice: 'specify', ...packed }),
  },
  {
    name: 'host_maintenance, Nova chooses',
    strategy: 'host_maintenance',
    parameters: (world, random) => ({ maintenance_node: anyHost(world, random) }),
  },
  {
    name: 'host_maintenance, backup node',
    strategy: 'host_maintenance',
    parameters: ({ hosts }, random) => ({
      maintenance_node: hosts[0]?.hostname ?? '',
      backup_node: pick(random, hosts.slice(1)).hostname,
      disable_live_migration: random() < 0.2,
      disable_cold_migration: random() < 0.2,
    }),
  },
  {
    name: 'zone_migration, none named',
    strategy: 'zone_migration',
    parameters: (world, random) => ({
      compute_nodes: [{ src_node: anyHost(world, random) }],
      parallel_per_node: 20,
      parallel_total: 20,
    }),
  },
  {
    name: 'zone_migration, named',
    strategy: 'zone_migration',
    parameters: ({ hosts }, random) => ({
      compute_nodes: [{ src_node: hosts[0]?.hostname ?? '', dst_node: pick(random, hosts.slice(1)).hostname }],
      parallel_per_node: 20,
      parallel_total: 20,
    }),
    leastShare: 0.05,
  },
  {
    name: 'zone_migration, into a source',
    strategy: 'zone_migration',
    parameters: ({ hosts }) => ({
      compute_nodes: [0, 1].map((row) => ({
        src_node: hosts[row]?.hostname ?? '',
        dst_node: hosts[row === 0 ? 2 : 0]?.hostname ?? '',
      })),
      parallel_per_node: 20,
      parallel_total: 20,
    }),
  },
);

/** Each host has a running machine. */
function machines({ hosts }: WorldFile, { hostInfo }: ComputeSnapshot): BaremetalSnapshot {
  const nodes = hosts.map(({ hostname }, row) => ({
    uuid: testUuid(`machine ${hostname}`),
    name: hostname,
    power: 'on' as const,
    powerState: 'power on',
    maintenance: false,
    maintenanceReason: null,
    computeNodeUuid: hostInfo[row]?.uuid ?? null,
  }));
  return { nodes, takenAtMs: 0, complete: true, gaps: [] };
}

function metricsOf(world: WorldFile, random: Random) {
  const perInstance = (most: number) => Object.fromEntries(world.servers.map(({ name }) => [name, most * random()]));
  const perHost = (from: number, to: number) =>
    Object.fromEntries(world.hosts.map(({ hostname }) => [hostname, from + (to - from) * random()]));
  return {
    instance_cpu_usage: perInstance(100),
    host_cpu_usage: perHost(0, 100),
    instance_ram_usage: 512,
    // Another number for each window.
    instance_l3_cache_usage: () => 1e6 * random(),
    host_outlet_temp: perHost(20, 50),
    host_airflow: perHost(200, 600),
    host_inlet_temp: perHost(20, 35),
    host_power: perHost(150, 450),
  };
}

interface Cloud {
  world: WorldFile;
  snapshot: ComputeSnapshot;
}

const clouds = new Map<number, Cloud>();

/** Created once for all strategies, which do not change it. */
function randomCloud(seed: number): Cloud {
  const known = clouds.get(seed);
  if (known) return known;
  const world = randomWorld(randomOf(seed * 7919));
  const made = { world, snapshot: snapshotOf(world) };
  clouds.set(seed, made);
  return made;
}

async function planOf(
  { strategy: name, parameters }: Case,
  { world, snapshot }: Cloud,
  seed: number,
  failedMigrations: readonly string[] = [],
): Promise<PlannedAction[]> {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) throw new Error(`no strategy ${name}`);
  const random = randomOf(seed);
  const { actions } = await runStrategy(strategy, {
    snapshot,
    baremetal: machines(world, snapshot),
    metrics: metricsOf(world, random),
    parameters: parameters?.(world, random) ?? {},
    failedMigrations,
  });
  const planner = plannerCatalogue.find((candidate) => candidate.name === strategy.manifest.planner) as PlannerPlugin;
  let next = 0;
  const limits = { parallelMigrations: 10, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 };
  return planner.plan(actions, { snapshot, limits, newUuid: () => `a${next++}` });
}

it.each(cases)(
  `the simulated Nova accepts every move of ${worlds} random clouds: $name`,
  async (given) => {
    const refused: string[] = [];
    let moves = 0;
    for (let seed = 1; seed <= worlds; seed++) {
      const cloud = randomCloud(seed);
      const played = playPlan(cloud.world, await planOf(given, cloud, seed), randomOf(seed));
      refused.push(...played.refused.map((text) => `world ${seed}: ${text}`));
      moves += played.moves;
    }
    expect(refused).toEqual([]);
    expect(moves).toBeGreaterThanOrEqual(worlds * (given.leastShare ?? 0.1));
  },
  600_000,
);

const byOrder = new Set(
  strategyCatalogue.filter(({ manifest }) => manifest.byOrder).map(({ manifest }) => manifest.name),
);

it.each(cases.filter(({ strategy }) => !byOrder.has(strategy)))(
  'an instance with a recently failed migration is not moved: $name',
  async (given) => {
    for (let seed = 1; seed <= 10; seed++) {
      const cloud = randomCloud(seed);
      const failed = cloud.world.servers.filter((_, index) => index % 3 === 0).map(({ name }) => testUuid(name));
      const plan = await planOf(given, cloud, seed, failed);
      const moved = plan.map(({ inputParameters: { resource_id: id } }) => String(id));
      expect(moved.filter((id) => failed.includes(id))).toEqual([]);
    }
  },
);
