import type { GoalPlugin, IndicatorDefinition } from '#libs/plugin-kit';
import { countIndicator, percentage } from './indicators.ts';

const kinds = [
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

const indicators: IndicatorDefinition[] = kinds.flatMap(({ count, what }) => [
  countIndicator(count, `Number of ${what}.`),
  countIndicator(`planned_${count}`, `Number of ${what} and are in the plan.`),
]);

/**
 * Everything leaves a zone. As in Watcher the plain counts are candidates, those with `planned_` are what the plan does;
 * efficacy is their ratio.
 */
export const hardwareMaintenance: GoalPlugin = {
  kind: 'goal',
  name: 'hardware_maintenance',
  displayName: 'Hardware Maintenance',
  indicators,
  globalEfficacy: (values) =>
    kinds.map(({ count, what, ratio }) => ({
      name: ratio,
      description: `Of the ${what}, how many the plan migrates, in percent.`,
      unit: '%',
      value: percentage(values[`planned_${count}`], values[count]),
    })),
};
