import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type AssessmentOptions, assessStrategy, type WorldChoice } from '../assess-strategy.ts';
import type { AssessedProperty, StrategyAssessment } from '../assessment.ts';
import { type PluginParts, writePlugin } from './write-plugin.ts';

/** Assesses plugins that are written into a folder of the test file. */
export interface PluginAssessor {
  /** The folder of the plugins, from the first test on. */
  folder(): string;
  /** Assesses a plugin with one strategy. Default: three random worlds without days. */
  assess(
    name: string,
    parts: PluginParts,
    worlds?: WorldChoice,
    options?: AssessmentOptions,
  ): Promise<StrategyAssessment>;
}

/** Creates the folder before the tests of the file, and removes it after them. */
export function usePluginAssessor(): PluginAssessor {
  let parent = '';
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'vigil-assessment-'));
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));
  return {
    folder: () => parent,
    async assess(name, parts, worlds = { random: 3 }, options = { days: false }) {
      const folder = await writePlugin(parent, name, parts);
      const { strategies, good } = await assessStrategy(folder, worlds, options);
      expect(strategies).toHaveLength(1);
      expect(good).toBe(strategies[0]?.good);
      return strategies[0]!;
    },
  };
}

/** Names of the broken properties. */
export function brokenOf({ properties }: StrategyAssessment): AssessedProperty[] {
  return properties.filter(({ verdict }) => verdict === 'broken').map(({ property }) => property);
}

/** The findings of a property. */
export function findingsOf(
  { properties }: StrategyAssessment,
  property: AssessedProperty,
): StrategyAssessment['properties'][number]['findings'] {
  return properties.find((one) => one.property === property)!.findings;
}
