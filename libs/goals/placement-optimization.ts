import type { GoalPlugin } from '#libs/plugin-kit';
import { countIndicator } from './indicators.ts';

const number = (name: string, description: string, unit: string | null) => ({
  name,
  description,
  unit,
  required: false,
  schema: { type: 'number', minimum: 0 },
});

/**
 * The best placement for an aim, within a number of migrations; not one of Watcher's. Efficacy: the part of what can be gained at all that the plan
 * gains.
 */
export const placementOptimization: GoalPlugin = {
  kind: 'goal',
  name: 'placement_optimization',
  displayName: 'Placement Optimization',
  indicators: [
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
    number(
      'points_before_audit',
      'What there is to gain before the plan: 100, or 0 where no plan is better than what is there.',
      null,
    ),
    number('points_after_audit', 'What is left of it after the plan; 0 is the bound that no plan can pass.', null),
    number('moved_memory', 'Memory of the instances that the plan moves.', 'GiB'),
  ],
  globalEfficacy: ({ points_before_audit: before = 0, points_after_audit: after = 0 }) => [
    {
      name: 'gained_ratio',
      description: 'What the plan gains, in percent of what can be gained at all.',
      unit: '%',
      value: before > 0 ? ((before - after) / before) * 100 : 0,
    },
  ],
};
