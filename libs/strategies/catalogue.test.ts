import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { validateParameters } from '#libs/plugin-kit';
import { strategyCatalogue } from './catalogue.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  // Shared by those that search, and by tests.
  .filter((name) => !['optimizing', 'testing'].includes(name));

describe('strategy catalogue', () => {
  it('lists every folder, and each folder is complete', () => {
    expect(strategyCatalogue.map(({ manifest }) => manifest.name).sort()).toEqual(folders.sort());
    for (const folder of folders) {
      const files = readdirSync(join(import.meta.dirname, folder));
      expect(files).toEqual(expect.arrayContaining(['parameters.ts', 'strategy.ts', 'README.md']));
      expect(files.some((file) => file.endsWith('.test.ts'))).toBe(true);
    }
  });

  it.each([
    ['dummy', 'Dummy strategy', 'dummy', {}, { para1: 3.2, para2: 'hello' }],
    [
      'host_maintenance',
      'Host Maintenance Strategy',
      'cluster_maintaining',
      { maintenance_node: 'a' },
      { maintenance_node: 'a', disable_live_migration: false, disable_cold_migration: false },
    ],
    [
      'vm_workload_consolidation',
      'VM Workload Consolidation Strategy',
      'server_consolidation',
      {},
      { period: 3600, granularity: 300 },
    ],
    [
      'failed_host_evacuation',
      'Failed Host Evacuation Strategy',
      'cluster_maintaining',
      {},
      { fenced_hosts: [], local_disks: 'leave' },
    ],
    [
      'balance_optimizer',
      'Balance Optimizer',
      'workload_balancing',
      { max_moves: 20, terms: { memory_balance: 'off' } },
      {
        max_moves: 20,
        effort: 'balanced',
        min_gain: 2,
        hot_limit: 80,
        choose: 'budget',
        time_limit: 10,
        terms: { memory_balance: 'off' },
        period: 3600,
        aggregation_method: 'p95',
        reserve_hosts: 1,
      },
    ],
    [
      'consolidation_optimizer',
      'Consolidation Optimizer',
      'server_consolidation',
      {},
      {
        max_moves: 50,
        hot_limit: 80,
        choose: 'budget',
        time_limit: 10,
        period: 3600,
        aggregation_method: 'p95',
        reserve_hosts: 1,
      },
    ],
    [
      'placement_optimizer',
      'Placement Optimizer',
      'placement_optimization',
      { preset: 'repair_only' },
      {
        preset: 'repair_only',
        max_moves: 50,
        effort: 'balanced',
        min_gain: 2,
        hot_limit: 80,
        choose: 'budget',
        time_limit: 10,
        terms: {},
        period: 3600,
        aggregation_method: 'p95',
        reserve_hosts: 1,
        flavors: [],
        licensed: ['os_type=windows', 'os_distro=windows*'],
      },
    ],
    ['dummy_with_resize', 'Dummy strategy with resize', 'dummy', {}, { para1: 3.2, para2: 'hello' }],
    ['dummy_with_scorer', 'Dummy Strategy using sample Scoring Engines', 'dummy', {}, { param1: 3.2, param2: 'hello' }],
    ['actuator', 'Actuator', 'unclassified', { actions: [] }, { actions: [] }],
    [
      'basic',
      'Basic offline consolidation',
      'server_consolidation',
      { aggregation_method: { instance: 'max' } },
      {
        migration_attempts: 0,
        period: 7200,
        granularity: 300,
        aggregation_method: { instance: 'max', compute_node: 'mean', node: '' },
      },
    ],
    [
      'node_resource_consolidation',
      'Node Resource Consolidation strategy',
      'server_consolidation',
      {},
      { host_choice: 'auto' },
    ],
    [
      'workload_balance',
      'Workload Balance Migration Strategy',
      'workload_balancing',
      {},
      { metrics: 'instance_cpu_usage', threshold: 25, period: 300, granularity: 300 },
    ],
    [
      'outlet_temperature',
      'Outlet temperature based strategy',
      'thermal_optimization',
      {},
      { threshold: 35, period: 30, granularity: 300 },
    ],
    [
      'uniform_airflow',
      'Uniform airflow migration strategy',
      'airflow_optimization',
      {},
      { threshold_airflow: 400, threshold_inlet_t: 28, threshold_power: 350, period: 300, granularity: 300 },
    ],
    [
      'noisy_neighbor',
      'Noisy Neighbor',
      'noisy_neighbor',
      {},
      { cache_threshold: 35, period: 100, signal: 'auto', steal_threshold: 10, pressure_threshold: 25 },
    ],
    ['saving_energy', 'Saving Energy Strategy', 'saving_energy', {}, { free_used_percent: 10, min_free_hosts_num: 1 }],
    [
      'storage_capacity_balance',
      'Storage Capacity Balance Strategy',
      'workload_balancing',
      {},
      { volume_threshold: 80 },
    ],
    [
      'zone_migration',
      'Zone migration',
      'hardware_maintenance',
      {},
      { parallel_total: 6, parallel_per_node: 2, parallel_per_pool: 2, with_attached_volume: false },
    ],
    [
      'allocation_balance',
      'Allocation Balance Strategy',
      'workload_balancing',
      {},
      { resource: 'instances', instance_difference: 1, share_tolerance: 5 },
    ],
    [
      'workload_stabilization',
      'Workload stabilization',
      'workload_balancing',
      { thresholds: { instance_cpu_usage: 0.2 }, periods: { instance: 60 } },
      {
        metrics: ['instance_cpu_usage'],
        thresholds: { instance_cpu_usage: 0.2, instance_ram_usage: 0.1 },
        weights: { instance_cpu_usage_weight: 1, instance_ram_usage_weight: 1 },
        instance_metrics: { instance_cpu_usage: 'host_cpu_usage', instance_ram_usage: 'host_ram_usage' },
        full_load: { instance_disk_io: 500_000_000, instance_network_io: 1_250_000_000 },
        host_choice: 'fullsearch',
        retry_count: 1,
        periods: { instance: 60, compute_node: 600, node: 0 },
        aggregation_method: { instance: 'mean', compute_node: 'mean', node: '' },
        granularity: 300,
      },
    ],
  ])('%s has its names and defaults', (name, displayName, goal, given, defaulted) => {
    const manifest = strategyCatalogue.find((strategy) => strategy.manifest.name === name)?.manifest;
    expect(manifest).toMatchObject({ displayName, goal });
    expect(validateParameters(manifest?.parameters ?? {}, given)).toEqual(defaulted);
  });

  const schemas = strategyCatalogue.map(
    ({ manifest }) => [manifest.name, manifest.parameters.properties as Record<string, JsonObject>] as const,
  );

  it.each(schemas)('%s: every parameter is described, and no number may be negative', (name, properties) => {
    const schema = strategyCatalogue.find(({ manifest }) => manifest.name === name)?.manifest.parameters ?? {};
    const faultOf = (given: JsonObject) => {
      try {
        return validateParameters(schema, given) && '';
      } catch (error) {
        return String(error);
      }
    };
    for (const [parameter, { type, description }] of Object.entries(properties)) {
      expect(description, parameter).toEqual(expect.any(String));
      if (type !== 'number' && type !== 'integer') continue;
      expect(faultOf({ [parameter]: -1 })).toContain(`${parameter}: must be at least`);
      if (parameter === 'period') expect(faultOf({ period: 0 })).toContain('period: must be at least 1');
    }
  });

  it.each([
    ['dummy', { para1: 11 }],
    ['dummy', { para3: 1 }],
    ['host_maintenance', {}],
    ['workload_stabilization', { host_choice: 'best' }],
    ['workload_stabilization', { metrics: ['instance_disk_usage'] }],
    ['workload_stabilization', { thresholds: { instance_cpu_usage: 2 } }],
    ['workload_stabilization', { retry_count: 0 }],
    ['vm_workload_consolidation', { period: 'long' }],
    ['workload_stabilization', { periods: { instance: 0 } }],
    ['storage_capacity_balance', { volume_threshold: 101 }],
  ])('%s refuses %j', (name, given) => {
    const manifest = strategyCatalogue.find((strategy) => strategy.manifest.name === name)?.manifest;
    expect(() => validateParameters(manifest?.parameters ?? {}, given)).toThrow();
  });
});
