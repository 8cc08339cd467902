// goal.js
/** @type {import('openstack-vigil/plugin-kit').GoalPlugin} */
export const emptyHosts = {
  kind: 'goal',
  name: 'empty_hosts',
  displayName: 'Empty hosts',
  indicators: [
    {
      name: 'empty_hosts_count',
      description: 'Hosts without an instance',
      unit: null,
      required: true,
      schema: { type: 'integer', minimum: 0 },
    },
  ],
  globalEfficacy: ({ empty_hosts_count: value }) => [
    { name: 'empty_hosts', description: 'Hosts without an instance', unit: null, value },
  ],
};
