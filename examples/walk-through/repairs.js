// repairs.js
/** @type {import('openstack-vigil/plugin-kit').CollectorPlugin<'baremetal'>} */
export const repairs = {
  kind: 'collector',
  name: 'baremetal',
  description: 'Machines that are not under repair',
  async collect({ readCloud, env }) {
    const inRepair = (env.MACHINES_IN_REPAIR ?? '').split(',');
    const cloud = await readCloud();
    return { ...cloud, nodes: cloud.nodes.filter(({ name }) => !inRepair.includes(name ?? '')) };
  },
};
