export type { ProposedMove } from './apply-actions.ts';
export { applyActions, assertWellBehaved, movesOf } from './apply-actions.ts';
export type { StrategyWorld } from './run-strategy.ts';
export { runStrategy } from './run-strategy.ts';
export type { TestMetric, TestMetrics } from './test-metrics.ts';
export { createTestMetrics } from './test-metrics.ts';
export type { TestGroup, TestHost, TestInstance, TestWorld } from './test-world.ts';
export { createTestWorld, testUuid } from './test-world.ts';
