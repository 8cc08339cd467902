/**
 * The kit for tests of plugins, published as `openstack-vigil/plugin-kit/testing`.
 *
 * The library builds small worlds in plain data and runs a strategy or a data source on them. `assessStrategy` assesses
 * the strategies of a plugin over recorded and random worlds, in threads with limits of time and memory. It is here and
 * not in the library, because it uses the runner of strategies and the replay of the decision engine:
 *
 *     const { good, strategies } = await assessStrategy(new URL('.', import.meta.url), { random: 50 });
 *     assert.ok(good, JSON.stringify(strategies, null, 2));
 *
 * `vigil plugin assess` is the same as a command. docs/plugins.md describes the properties and the report.
 */

export * from '#libs/plugin-kit/testing';
export type { AssessmentOptions, WorldChoice } from './decision-engine/assessment/assess-strategy.ts';
export { assessStrategy } from './decision-engine/assessment/assess-strategy.ts';
export type {
  AssessedProperty,
  Assessment,
  Finding,
  PropertyVerdict,
  StrategyAssessment,
} from './decision-engine/assessment/assessment.ts';
export { assessedProperties } from './decision-engine/assessment/assessment.ts';
