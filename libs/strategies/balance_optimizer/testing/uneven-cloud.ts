import type { JsonObject } from '#libs/domain';
import { createTestWorld, runStrategy, type TestInstance, type TestMetrics } from '#libs/plugin-kit/testing';
import { balanceOptimizerStrategy } from '../strategy.ts';

/** Hosts with 16 vcpus. Each instance has 1 vcpu and uses all of it. */
export function cloud(instancesPerHost: number[], instance: Partial<TestInstance> = {}) {
  return createTestWorld({
    hosts: instancesPerHost.map((_, host) => ({ hostname: `h${host}` })),
    instances: instancesPerHost.flatMap((count, host) =>
      Array.from({ length: count }, (_, index) => ({ name: `vm${host}-${index}`, host: `h${host}`, ...instance })),
    ),
  });
}

const even = { preset: 'even' };
/** Instances of each host of the default cloud. */
export const uneven = [15, 10, 2, 1];
/** Every instance uses its whole vcpu. */
export const busy: TestMetrics = { instance_cpu_usage: 100 };

/** Runs the strategy, with the preset `even` by default. */
export function run(snapshot = cloud(uneven), parameters: JsonObject = {}, metrics = busy, seed = 1) {
  return runStrategy(balanceOptimizerStrategy, { snapshot, metrics, parameters: { ...even, ...parameters }, seed });
}
