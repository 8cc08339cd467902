/**
 * The kit for tests of plugins, published as `openstack-vigil/plugin-kit/testing`.
 *
 * The library builds small worlds in plain data and runs a strategy or a data source on them. `assessStrategy`
 * assesses the strategies of a plugin over recorded and random worlds, in threads with limits of time and memory. It
 * is here and not in the library, because it uses the runner of strategies and the replay of the decision engine:
 *
 *     const { good, strategies } = await assessStrategy(new URL('.', import.meta.url), { random: 50 });
 *     assert.ok(good, JSON.stringify(strategies, null, 2));
 *
 * `vigil plugin assess` is the same as a command. docs/plugins.md describes the properties and the report.
 */

import type { AssessmentOptions, WorldChoice } from './decision-engine/assessment/assess-strategy.ts';
import type { Assessment } from './decision-engine/assessment/assessment.ts';

export * from '#libs/plugin-kit/testing';
export type { AssessmentOptions, WorldChoice } from './decision-engine/assessment/assess-strategy.ts';
export type {
  AssessedProperty,
  Assessment,
  Finding,
  PropertyVerdict,
  StrategyAssessment,
} from './decision-engine/assessment/assessment.ts';

/**
 * Assesses the strategies of a plugin: whether they are deterministic, bounded in time, memory and actions, robust on
 * any cloud, obey all constraints, and are calm over a day. The plugin runs in threads with limits.
 * @param plugin folder, name of an npm package, or URL of a folder
 * @throws OperatorError when the plugin cannot be loaded or has no such strategy, for wrong parameters, and for a
 * world that cannot be read
 */
export async function assessStrategy(
  plugin: string | URL,
  worlds: WorldChoice = {},
  options: AssessmentOptions = {},
): Promise<Assessment> {
  // Other tests of plugins do not need the decision engine, which takes time to load.
  const assessment = await import('./decision-engine/assessment/assess-strategy.ts');
  return assessment.assessStrategy(plugin, worlds, options);
}
