/**
 * Description of the strategy: checked when Vigil starts, stored, and shown by the API.
 *
 * @type {import('openstack-vigil/plugin-kit').StrategyManifest}
 */
export const manifest = {
  kind: 'strategy',
  name: 'my_strategy',
  displayName: 'my_strategy',
  goal: 'unclassified',
  description:
    'Moves instances from hosts with more than max_instances instances to the first host that may have them.',
  parameters: {
    type: 'object',
    properties: {
      max_instances: {
        description: 'most instances that a host may keep',
        type: 'integer',
        minimum: 0,
        default: 20,
      },
    },
  },
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
