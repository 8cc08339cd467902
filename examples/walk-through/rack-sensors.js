// rack-sensors.js
/** @type {import('openstack-vigil/plugin-kit').DataSourcePlugin} */
export const rackSensors = {
  kind: 'data_source',
  name: 'rack_sensors',
  description: 'Outlet temperatures of the racks',
  open({ env }) {
    const celsius = Number(env.RACK_CELSIUS ?? 24);
    return {
      name: 'rack_sensors',
      realNames: () => new Map([['host_outlet_temp', 'rack.outlet']]),
      aggregate: async () => new Map([['compute-048', celsius]]),
      series: async ({ endMs }) => [{ at: endMs, value: celsius }],
      listMetrics: async () => ['host_outlet_temp'],
      probe: async () => {},
      close: async () => {},
    };
  },
};
