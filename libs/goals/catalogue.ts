import type { GoalPlugin, IndicatorDefinition } from '#libs/plugin-kit';

/** An indicator that counts things. */
function countIndicator(name: string, description: string, required = true): IndicatorDefinition {
  return { name, description, unit: null, required, schema: { type: 'integer', minimum: 0 } };
}

/** An indicator that is a standard deviation of normalised loads. */
function deviationIndicator(name: string, description: string): IndicatorDefinition {
  return { name, description, unit: null, required: false, schema: { type: 'number', minimum: 0 } };
}

/** `part` of `whole` in percent; 0 when either is 0 or missing. */
function percentage(part: number | undefined, whole: number | undefined): number {
  return part && whole ? (part / whole) * 100 : 0;
}

/** A goal whose strategies report no indicator and whose plans have no global efficacy. */
function goalWithoutEfficacy(name: string, displayName: string): GoalPlugin {
  return { kind: 'goal', name, displayName, indicators: [], globalEfficacy: () => [] };
}

/** Less airflow through hot hosts. */
const airflowOptimization: GoalPlugin = goalWithoutEfficacy('airflow_optimization', 'Airflow Optimization');

/** Empties a host for maintenance. */
const clusterMaintaining: GoalPlugin = goalWithoutEfficacy('cluster_maintaining', 'Cluster Maintaining');

/** For trying the service out: its strategies change nothing in the cloud. */
const dummy: GoalPlugin = goalWithoutEfficacy('dummy', 'Dummy goal');

/** Keeps instances of low priority apart from those that they disturb. */
const noisyNeighbor: GoalPlugin = goalWithoutEfficacy('noisy_neighbor', 'Noisy Neighbor');

/** Unused hosts are switched off. */
const savingEnergy: GoalPlugin = goalWithoutEfficacy('saving_energy', 'Saving Energy');

/** Cooler air at the outlets of hosts. */
const thermalOptimization: GoalPlugin = goalWithoutEfficacy('thermal_optimization', 'Thermal Optimization');

/** For strategies that serve no goal of the catalogue, such as one that plans given actions. */
const unclassified: GoalPlugin = goalWithoutEfficacy('unclassified', 'Unclassified');

const zoneKinds = [
  {
    count: 'live_migrate_instance_count',
    what: 'instances that can be migrated live',
    ratio: 'live_instance_migrate_ratio',
  },
  {
    count: 'cold_migrate_instance_count',
    what: 'instances that can be migrated cold',
    ratio: 'cold_instance_migrate_ratio',
  },
  { count: 'volume_migrate_count', what: 'detached volumes that can be migrated', ratio: 'volume_migrate_ratio' },
  { count: 'volume_update_count', what: 'attached volumes that can be migrated', ratio: 'volume_update_ratio' },
];

const zoneIndicators: IndicatorDefinition[] = zoneKinds.flatMap(({ count, what }) => [
  countIndicator(count, `Number of ${what}.`),
  countIndicator(`planned_${count}`, `Number of ${what} and are in the plan.`),
]);

/**
 * Empties a zone. As in Watcher the plain counts are candidates, and those with `planned_` are moved by the plan.
 * Efficacy is their ratio.
 */
const hardwareMaintenance: GoalPlugin = {
  kind: 'goal',
  name: 'hardware_maintenance',
  displayName: 'Hardware Maintenance',
  indicators: zoneIndicators,
  globalEfficacy: (values) =>
    zoneKinds.map(({ count, what, ratio }) => ({
      name: ratio,
      description: `Of the ${what}, how many the plan migrates, in percent.`,
      unit: '%',
      value: percentage(values[`planned_${count}`], values[count]),
    })),
};

/** Fewer hosts carry the same instances. Efficacy: share of the considered hosts that the plan frees. */
const serverConsolidation: GoalPlugin = {
  kind: 'goal',
  name: 'server_consolidation',
  displayName: 'Server Consolidation',
  indicators: [
    countIndicator('compute_nodes_count', 'Enabled compute nodes that were considered.'),
    countIndicator('released_compute_nodes_count', 'Compute nodes that the plan frees.'),
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
  ],
  globalEfficacy: (indicators) => [
    {
      name: 'released_nodes_ratio',
      description: 'Compute nodes freed by the plan, in percent of those considered.',
      unit: '%',
      value: percentage(indicators.released_compute_nodes_count, indicators.compute_nodes_count),
    },
  ],
};

/**
 * Spreads load evenly over hosts. The global efficacy is Watcher's `live_migrations_count`: the share of moved
 * instances in percent, which grows with every move. The two deviations report the improvement of the balance.
 */
const workloadBalancing: GoalPlugin = {
  kind: 'goal',
  name: 'workload_balancing',
  displayName: 'Workload Balancing',
  indicators: [
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
    countIndicator('instances_count', 'Instances in the model.', false),
    // Watcher's order, which clients display.
    deviationIndicator('standard_deviation_after_audit', 'Spread of the load over hosts that the plan leads to.'),
    deviationIndicator('standard_deviation_before_audit', 'Spread of the load over hosts before the plan.'),
  ],
  globalEfficacy: (indicators) => [
    {
      name: 'live_migrations_count',
      description: 'Instances that the plan migrates, in percent of all instances.',
      unit: '%',
      value: percentage(indicators.instance_migrations_count, indicators.instances_count),
    },
  ],
};

const number = (name: string, description: string, unit: string | null) => ({
  name,
  description,
  unit,
  required: false,
  schema: { type: 'number', minimum: 0 },
});

/**
 * The best placement for an aim, within a number of migrations. Not a goal of Watcher. Efficacy: the achieved part of
 * the possible gain.
 */
const placementOptimization: GoalPlugin = {
  kind: 'goal',
  name: 'placement_optimization',
  displayName: 'Placement Optimization',
  indicators: [
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
    number('points_before_audit', 'Possible gain before the plan: 100, or 0 where no better placement exists.', null),
    number('points_after_audit', 'Possible gain that remains after the plan; 0 is the bound for every plan.', null),
    number('moved_memory', 'Memory of the instances that the plan moves.', 'GiB'),
  ],
  globalEfficacy: ({ points_before_audit: before = 0, points_after_audit: after = 0 }) => [
    {
      name: 'gained_ratio',
      description: 'Gain of the plan, in percent of the possible gain.',
      unit: '%',
      value: before > 0 ? ((before - after) / before) * 100 : 0,
    },
  ],
};

/** All built-in goals: Watcher's ten, with its names, display names and efficacy, then one of Vigil's. */
export const goalCatalogue: readonly GoalPlugin[] = [
  airflowOptimization,
  clusterMaintaining,
  dummy,
  hardwareMaintenance,
  noisyNeighbor,
  savingEnergy,
  serverConsolidation,
  thermalOptimization,
  unclassified,
  workloadBalancing,
  placementOptimization,
];
