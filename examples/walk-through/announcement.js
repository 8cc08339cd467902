// announcement.js
/** @type {import('openstack-vigil/plugin-kit').StrategyPlugin<{ message: string }>} */
export const announcement = {
  manifest: {
    kind: 'strategy',
    name: 'announcement',
    displayName: 'Announcement',
    goal: 'unclassified',
    description: 'Announces a message with the number of hosts.',
    parameters: {
      type: 'object',
      properties: { message: { description: 'what to say', type: 'string', default: 'Maintenance' } },
    },
    metrics: [],
    models: ['compute'],
    planner: 'resource',
    needsCompleteModel: false,
  },
  async run({ model, parameters }) {
    const hosts = model.snapshot.hostInfo.length;
    const message = `${parameters.message} of ${hosts} hosts`;
    return {
      actions: [
        {
          actionType: 'announce',
          inputParameters: { message },
          reason: { rule: 'say-it', summary: `People are told: ${message}.`, values: [], rejected: [] },
        },
      ],
      indicators: {},
      report: {
        hosts: { considered: hosts, eligible: hosts },
        instances: { considered: model.snapshot.instanceInfo.length, eligible: 0 },
        blocked: [],
        emptyBecause: null,
        notes: [],
      },
    };
  },
};
