export type { TestMetric, TestMetrics } from './test-metrics.ts';
export { createTestMetrics } from './test-metrics.ts';
export type { TestGroup, TestHost, TestInstance, TestWorld } from './test-world.ts';
export { createTestWorld, testUuid } from './test-world.ts';
