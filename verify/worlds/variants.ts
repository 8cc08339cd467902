import type { JsonObject } from '#libs/domain';
import type { CrookedWorld } from '#libs/random-worlds';
import { createDraw, type Draw } from '#libs/random-worlds';

/** A strategy with typical parameters. */
export interface Variant {
  strategy: string;
  parameters: JsonObject;
}

type Made = [strategy: string, ...parameters: JsonObject[]];

const packed = { target_utilization: { vcpus: 100, memory: 100, disk: 100 }, failure_reserve: 0, minimum_coverage: 1 };

/** Searches are short, because the worlds are small. */
const soon = { time_limit: 1 };

function balancers(): Made[] {
  return [
    [
      'workload_balance',
      {},
      { threshold: 40, minimum_coverage: 10 },
      { metrics: 'instance_ram_usage', threshold: 30 },
      { threshold: 30, migration_budget: 2 },
    ],
    [
      'workload_stabilization',
      { thresholds: { instance_cpu_usage: 0.02 } },
      { metrics: ['instance_cpu_usage', 'instance_ram_usage'], thresholds: { instance_ram_usage: 0.01 } },
      {
        metrics: ['instance_disk_io', 'instance_network_io'],
        thresholds: { instance_disk_io: 0.01, instance_network_io: 0.01 },
      },
      { host_choice: 'cycle', thresholds: { instance_cpu_usage: 0.01 } },
      { host_choice: 'retry', retry_count: 3, thresholds: { instance_cpu_usage: 0.01 } },
      { thresholds: { instance_cpu_usage: 0.01 }, migration_budget: 2 },
    ],
    [
      'balance_optimizer',
      { ...soon, preset: 'even', min_gain: 0.1 },
      { ...soon, hot_limit: 40 },
      { ...soon, min_gain: 0, hot_limit: { cpu: 55, memory: 60 }, reserve_hosts: 0, effort: 'best' },
      { ...soon, min_gain: 0, hot_limit: 60, reserve_hosts: 2, choose: 'knee', effort: 'few_moves' },
      { ...soon, preset: 'even', terms: { cpu_balance: 'off', memory_balance: 'high' }, max_moves: 3, max_minutes: 60 },
    ],
    [
      'allocation_balance',
      {},
      { resource: 'vcpus' },
      { resource: 'memory', share_tolerance: 1 },
      { resource: 'vcpus', share_tolerance: 1, migration_budget: 2 },
    ],
  ];
}

function consolidators(): Made[] {
  const { minimum_coverage: _, ...packedByAllocation } = packed;
  const { target_utilization } = packed;
  return [
    [
      'basic',
      {},
      packed,
      { ...packed, host_order: 'watcher' },
      { ...packed, check_optimize_metadata: true, migration_budget: 4 },
      { minimum_coverage: 10, failure_reserve: 2 },
    ],
    [
      'vm_workload_consolidation',
      {},
      packed,
      { reserve_hosts: 1, failure_reserve: 0 },
      { ...packed, failure_reserve: 2, migration_budget: 4 },
    ],
    [
      'node_resource_consolidation',
      {},
      { host_choice: 'specify' },
      packedByAllocation,
      { ...packedByAllocation, host_choice: 'specify', host_order: 'watcher' },
      { target_utilization, migration_budget: 4 },
    ],
    [
      'consolidation_optimizer',
      soon,
      { ...soon, target_utilization, reserve_hosts: 0, hot_limit: 100 },
      { ...soon, reserve_hosts: 2, hot_limit: { cpu: 60, memory: 60 }, choose: 'knee' },
      { ...soon, target_utilization, max_moves: 4, migration_budget: 6 },
    ],
    ['saving_energy', {}, { free_used_percent: 0, min_free_hosts_num: 0, failure_reserve: 0 }],
  ];
}

function presets(world: CrookedWorld, draw: Draw): Made {
  const flavors = [...new Set(world.servers.map(({ flavor }) => flavor.name))];
  const eager = { ...soon, min_gain: 0, effort: 'best' };
  const { target_utilization } = packed;
  return [
    'placement_optimizer',
    soon,
    { ...soon, preset: 'consolidate' },
    { ...soon, preset: 'consolidate', target_utilization, reserve_hosts: 0, max_moves: 0 },
    { ...soon, preset: 'defragment' },
    { ...eager, preset: 'defragment', flavors: draw.shuffled(flavors).slice(0, 2), reserve_hosts: 0 },
    { ...eager, preset: 'licences' },
    { ...eager, preset: 'licences', licensed: ['trait:CUSTOM_SSD=required', 'optimize=*'], reserve_hosts: 0 },
    { ...eager, preset: 'repair_only', hot_limit: { cpu: 50, memory: 50 } },
  ];
}

function movers(world: CrookedWorld, draw: Draw): Made[] {
  const names = draw.shuffled(world.services.map(({ host }) => host));
  const [first = '', second = '', third = ''] = names;
  const pools = draw.shuffled(world.storage.pools.map(({ name }) => name));
  const many = { parallel_total: 50, parallel_per_node: 50, parallel_per_pool: 50 };
  return [
    [
      'host_maintenance',
      { maintenance_node: first },
      { maintenance_node: second, backup_node: third },
      { maintenance_node: third, disable_live_migration: true },
      { maintenance_node: first, disable_live_migration: true, disable_cold_migration: true },
    ],
    [
      'failed_host_evacuation',
      {},
      { local_disks: 'evacuate' },
      { fenced_hosts: [first, second], local_disks: 'evacuate' },
      { fenced_hosts: names, local_disks: 'evacuate' },
    ],
    [
      'zone_migration',
      { compute_nodes: [{ src_node: first }, { src_node: second }, { src_node: third }], ...many },
      { compute_nodes: [{ src_node: first, dst_node: second }], ...many },
      {
        storage_pools: [{ src_pool: pools[0] ?? '', dst_pool: pools[1] ?? '' }],
        compute_nodes: [{ src_node: second }],
        ...many,
        with_attached_volume: true,
      },
      { storage_pools: [{ src_pool: pools[2] ?? '', dst_type: 'fast' }], ...many },
    ],
    ['storage_capacity_balance', {}, { volume_threshold: 50 }, { volume_threshold: 50, volume_order: 'watcher' }],
    ['outlet_temperature', {}, { threshold: 25 }],
    ['uniform_airflow', {}, { threshold_airflow: 300, threshold_power: 200 }],
    ['noisy_neighbor', {}, { signal: 'cache', cache_threshold: 5 }, { signal: 'steal', steal_threshold: 3 }],
    [
      'rolling_maintenance',
      { compute_nodes: [first, second], at_once: 2, if_stuck: 'skip' },
      { compute_nodes: names, bring_back: true, at_once: 3, if_stuck: 'skip', disable_live_migration: true },
      { compute_nodes: names, bring_back: true, window_start: '22:00', window_end: '06:00' },
    ],
    [
      'host_return',
      { compute_nodes: names, bring_back: true, any_reason: true },
      { compute_nodes: names.slice(0, 4), bring_back: true },
    ],
  ];
}

/** Every built-in strategy that changes a cloud, with several sets of parameters. */
export function variantsOf(world: CrookedWorld): Variant[] {
  const draw = createDraw(world.seed ^ 0x5eed);
  const made = [...balancers(), ...consolidators(), ...movers(world, draw), presets(world, draw)];
  return made.flatMap(([strategy, ...sets]) => sets.map((parameters) => ({ strategy, parameters })));
}
