// planner.js
/** @type {import('openstack-vigil/plugin-kit').PlannerPlugin} */
export const oneByOne = {
  kind: 'planner',
  name: 'one_by_one',
  description: 'Each action waits for the one before it',
  plan(actions, { newUuid }) {
    /** @type {string[]} */
    let parents = [];
    return actions.map((action) => {
      const planned = { ...action, uuid: newUuid(), parents };
      parents = [planned.uuid];
      return planned;
    });
  },
};
