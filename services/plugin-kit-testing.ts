/**
 * The kit for tests of plugins, published as `openstack-vigil/plugin-kit/testing`. `assessStrategy` runs in it beside
 * the parts of the library, since it uses threads, models and replays of the decision engine.
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
