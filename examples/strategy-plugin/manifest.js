/**
 * Description of the strategy: checked when Vigil starts, stored, and shown by the API.
 *
 * @type {import('openstack-vigil/plugin-kit').StrategyManifest}
 */
export const manifest = {
  kind: 'strategy',
  name: 'spread_by_count',
  displayName: 'Spread by count',
  goal: 'workload_balancing',
  description:
    'Moves instances from the hosts with the most instances to those with the fewest until the numbers differ by no ' +
    'more than max_difference. Needs no metrics.',
  parameters: {
    type: 'object',
    properties: {
      max_difference: {
        description: 'largest allowed difference between the numbers of instances of two hosts',
        type: 'integer',
        minimum: 1,
        default: 1,
      },
      max_migrations: {
        description: 'largest number of migrations in one plan',
        type: 'integer',
        minimum: 1,
        default: 50,
      },
    },
  },
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
