import type { JsonObject } from '#libs/domain';
import type { CrookedWorld } from './crooked-world.ts';
import { createDraw, type Draw } from './draw.ts';

/** A strategy with parameters as an operator would give them. */
export interface Variant {
  strategy: string;
  parameters: JsonObject;
}

type Made = [strategy: string, ...parameters: JsonObject[]];

const packed = { target_utilization: { vcpus: 100, memory: 100, disk: 100 }, failure_reserve: 0, minimum_coverage: 1 };

function balancers(): Made[] {
  return [
    ['workload_balance', {}, { threshold: 40, minimum_coverage: 10 }, { metrics: 'instance_ram_usage', threshold: 30 }],
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
    ],
    ['balance_optimizer', { time_limit: 1, min_gain: 0.1 }],
    ['allocation_balance', {}, { resource: 'vcpus' }, { resource: 'memory', share_tolerance: 1 }],
  ];
}

function consolidators(): Made[] {
  const { minimum_coverage: _, ...packedByAllocation } = packed;
  return [
    ['basic', {}, packed, { ...packed, host_order: 'watcher' }],
    ['vm_workload_consolidation', {}, packed, { reserve_hosts: 1, failure_reserve: 0 }],
    [
      'node_resource_consolidation',
      {},
      { host_choice: 'specify' },
      packedByAllocation,
      { ...packedByAllocation, host_choice: 'specify', host_order: 'watcher' },
    ],
    ['consolidation_optimizer', { time_limit: 1 }],
    ['placement_optimizer', { time_limit: 1 }, { time_limit: 1, preset: 'consolidate' }],
    ['saving_energy', {}, { free_used_percent: 0, min_free_hosts_num: 0, failure_reserve: 0 }],
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
    ['failed_host_evacuation', { local_disks: 'evacuate' }, { fenced_hosts: [first, second], local_disks: 'evacuate' }],
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
    ['storage_capacity_balance', {}, { volume_threshold: 50 }],
    ['outlet_temperature', {}, { threshold: 25 }],
    ['uniform_airflow', {}, { threshold_airflow: 300, threshold_power: 200 }],
    ['noisy_neighbor', {}, { signal: 'cache', cache_threshold: 5 }, { signal: 'steal', steal_threshold: 3 }],
    [
      'rolling_maintenance',
      { compute_nodes: [first, second], at_once: 2, if_stuck: 'skip' },
      { compute_nodes: names, bring_back: true, at_once: 3, if_stuck: 'skip', disable_live_migration: true },
    ],
    ['host_return', { compute_nodes: names, bring_back: true, any_reason: true }],
  ];
}

/** Every built-in strategy that changes a cloud, with several sets of parameters. */
export function variantsOf(world: CrookedWorld): Variant[] {
  const made = [...balancers(), ...consolidators(), ...movers(world, createDraw(world.seed ^ 0x5eed))];
  return made.flatMap(([strategy, ...sets]) => sets.map((parameters) => ({ strategy, parameters })));
}
