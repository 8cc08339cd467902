import { describe, expect, it } from 'vitest';
import { goalCatalogue } from './catalogue.ts';

function goal(name: string) {
  const found = goalCatalogue.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no goal ${name}`);
  return found;
}

describe('goal catalogue', () => {
  it('has the ten goals of Watcher with their display names, and one additional goal', () => {
    expect(Object.fromEntries(goalCatalogue.map(({ name, displayName }) => [name, displayName]))).toEqual({
      unclassified: 'Unclassified',
      dummy: 'Dummy goal',
      server_consolidation: 'Server Consolidation',
      thermal_optimization: 'Thermal Optimization',
      workload_balancing: 'Workload Balancing',
      airflow_optimization: 'Airflow Optimization',
      noisy_neighbor: 'Noisy Neighbor',
      saving_energy: 'Saving Energy',
      hardware_maintenance: 'Hardware Maintenance',
      cluster_maintaining: 'Cluster Maintaining',
      placement_optimization: 'Placement Optimization',
    });
  });

  it.each([
    ['server_consolidation', ['compute_nodes_count', 'released_compute_nodes_count', 'instance_migrations_count'], []],
    [
      'workload_balancing',
      ['instance_migrations_count'],
      ['instances_count', 'standard_deviation_after_audit', 'standard_deviation_before_audit'],
    ],
    [
      'hardware_maintenance',
      [
        'live_migrate_instance_count',
        'planned_live_migrate_instance_count',
        'cold_migrate_instance_count',
        'planned_cold_migrate_instance_count',
        'volume_migrate_count',
        'planned_volume_migrate_count',
        'volume_update_count',
        'planned_volume_update_count',
      ],
      [],
    ],
    ['dummy', [], []],
  ])('%s declares its indicators', (name, required, optional) => {
    const { indicators } = goal(name);
    expect(indicators.filter((i) => i.required).map((i) => i.name)).toEqual(required);
    expect(indicators.filter((i) => !i.required).map((i) => i.name)).toEqual(optional);
    for (const { name: indicator, unit, schema } of indicators) {
      const type = indicator.startsWith('standard_deviation') ? 'number' : 'integer';
      expect({ unit, schema }).toEqual({ unit: null, schema: { type, minimum: 0 } });
    }
  });

  it.each([
    [{ compute_nodes_count: 4, released_compute_nodes_count: 3, instance_migrations_count: 5 }, 75],
    [{ compute_nodes_count: 0, released_compute_nodes_count: 0, instance_migrations_count: 0 }, 0],
  ])('server_consolidation rates %j', (indicators, value) => {
    expect(goal('server_consolidation').globalEfficacy(indicators)).toMatchObject([
      { name: 'released_nodes_ratio', unit: '%', value },
    ]);
  });

  it.each([
    [{ instance_migrations_count: 3, instances_count: 12 }, 25],
    [{ instance_migrations_count: 3, instances_count: 0 }, 0],
    [{ instance_migrations_count: 0 }, 0],
  ])('workload_balancing rates %j', (indicators, value) => {
    expect(goal('workload_balancing').globalEfficacy(indicators as Record<string, number>)).toMatchObject([
      { name: 'live_migrations_count', unit: '%', value },
    ]);
  });

  it.each([
    [{ points_before_audit: 100, points_after_audit: 25, instance_migrations_count: 5 }, 75],
    [{ points_before_audit: 0, points_after_audit: 0, instance_migrations_count: 0 }, 0],
  ])('placement_optimization rates %j', (indicators, value) => {
    expect(goal('placement_optimization').globalEfficacy(indicators)).toMatchObject([
      { name: 'gained_ratio', unit: '%', value },
    ]);
  });

  it('hardware_maintenance gives four ratios in order', () => {
    const efficacy = goal('hardware_maintenance').globalEfficacy({
      live_migrate_instance_count: 5,
      planned_live_migrate_instance_count: 2,
      cold_migrate_instance_count: 1,
      planned_cold_migrate_instance_count: 1,
      volume_migrate_count: 2,
      planned_volume_migrate_count: 1,
      volume_update_count: 0,
      planned_volume_update_count: 0,
    });
    expect(efficacy.map(({ name, value }) => [name, value])).toEqual([
      ['live_instance_migrate_ratio', 40],
      ['cold_instance_migrate_ratio', 100],
      ['volume_migrate_ratio', 50],
      ['volume_update_ratio', 0],
    ]);
  });

  it('goals without indicators have no global efficacy', () => {
    for (const candidate of goalCatalogue.filter(({ indicators }) => indicators.length === 0)) {
      expect(candidate.globalEfficacy({})).toEqual([]);
    }
  });
});
