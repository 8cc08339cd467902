import type { TestInstance, TestMetrics, TestWorld } from '#libs/plugin-kit/testing';

/** Clouds and measurements for tests of several strategies. The names are those of the reference. */

/** Parameters for consolidation as in Watcher: up to the capacity, and without a reserve for failures. */
export const packedAsInWatcher = { failure_reserve: 0, target_utilization: { vcpus: 100, memory: 100, disk: 100 } };

const small = { vcpus: 40, memory: 132, disk: 250 };

function instance(name: string, host: string, changes: Partial<TestInstance> = {}): TestInstance {
  return { name, host, vcpus: 10, memory: 2, disk: 20, ...changes };
}

/** Five hosts of 40 vcpus with eight instances; I6 is stopped. */
export const scenario1: TestWorld = {
  hosts: [0, 1, 2, 3, 4].map((index) => ({ hostname: `hostname_${index}`, ...small })),
  instances: [
    instance('I0', 'hostname_0'),
    instance('I1', 'hostname_0', { vcpus: 11, memory: 3, disk: 18 }),
    instance('I2', 'hostname_1', { vcpus: 12, memory: 1, disk: 19 }),
    instance('I3', 'hostname_2'),
    instance('I4', 'hostname_2'),
    instance('I5', 'hostname_2'),
    instance('I6', 'hostname_3', { state: 'stopped' }),
    instance('I7', 'hostname_4'),
  ],
};

/** Measurements of scenario 1. */
export const metrics1: TestMetrics = {
  host_cpu_usage: { hostname_0: 7, hostname_1: 7, hostname_2: 80, hostname_3: 5, hostname_4: 5 },
  host_ram_usage: {
    hostname_0: 7 * 1024,
    hostname_1: 5 * 1024,
    hostname_2: 29 * 1024,
    hostname_3: 8 * 1024,
    hostname_4: 4 * 1024,
  },
  instance_cpu_usage: { I0: 7, I1: 7, I2: 10, I3: 5, I4: 5, I5: 10, I6: 8, I7: 4 },
  instance_ram_usage: { I0: 2, I1: 5, I2: 5, I3: 8, I4: 5, I5: 16, I6: 8, I7: 4 },
};

/** Two hosts with one instance each. */
export const scenarioM1: TestWorld = {
  hosts: ['Node_0', 'Node_1'].map((hostname) => ({ hostname, vcpus: 40, memory: 64, disk: 250 })),
  instances: [instance('INSTANCE_0', 'Node_0'), instance('INSTANCE_1', 'Node_1')],
};

/** Four hosts of 16 vcpus. Six instances of 10 vcpus are all on the first, far above its capacity. */
export const scenarioM2: TestWorld = {
  hosts: [0, 1, 2, 3].map((index) => ({ hostname: `Node_${index}`, vcpus: 16, memory: 64_000, disk: 250 })),
  instances: [0, 1, 2, 3, 4, 5].map((index) => instance(`INSTANCE_${index}`, 'Node_0', { memory: 2048 })),
};

/** Two hosts of 10 vcpus. Four instances of 1, 2, 4 and 8 vcpus on the first. */
export const scenarioM3: TestWorld = {
  hosts: ['Node_0', 'Node_1'].map((hostname) => ({ hostname, vcpus: 10, memory: 64_000, disk: 250 })),
  instances: [1, 2, 4, 8].map((vcpus, index) => instance(`INSTANCE_${6 + index}`, 'Node_0', { vcpus, memory: 2048 })),
};

/** Measurements of the scenarios M1 to M3. */
export const metricsM: TestMetrics = {
  instance_cpu_usage: Object.fromEntries(
    [10, 30, 60, 20, 40, 50, 100, 100, 100, 100].map((value, index) => [`INSTANCE_${index}`, value]),
  ),
  instance_ram_usage: Object.fromEntries(
    [1, 2, 4, 8, 3, 2, 1, 2, 4, 8].map((value, index) => [`INSTANCE_${index}`, value]),
  ),
};
