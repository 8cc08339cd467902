import { describe, expect, it } from 'vitest';
import { NotFoundError } from '#libs/domain';
import type { ScoringEnginePlugin } from '#libs/plugin-kit';
import { assertWellBehaved, createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { dummyWithScorerStrategy } from './strategy.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }] });

function engine(name: string, metainfo: string, score: (values: number[]) => number[]): ScoringEnginePlugin {
  return {
    kind: 'scoring_engine',
    name,
    description: name,
    metainfo,
    calculateScore: (features) => JSON.stringify(score(JSON.parse(features))),
  };
}

const requested: number[][] = [];
const scoringEngines = [
  engine('dummy_scorer', '{"workloads":["idle","busy"]}', (values) => {
    requested.push(values);
    return [1, 0, 100];
  }),
  engine('dummy_avg_scorer', '', (values) => {
    requested.push(values);
    return [42];
  }),
];

describe('dummy_with_scorer', () => {
  it('proposes four actions with the results of the engines', async () => {
    const { actions } = await runStrategy(dummyWithScorerStrategy, { snapshot, scoringEngines });
    expect(actions.map(({ actionType, inputParameters }) => [actionType, inputParameters])).toEqual([
      ['nop', { message: 'Hello from Dummy Strategy with Scorer!' }],
      ['nop', { message: 'Detected Workload: busy' }],
      ['nop', { message: 'AVG Scorer result: 42' }],
      ['sleep', { duration: 5 }],
    ]);
  });

  it('feeds nine numbers in their ranges and twenty different ones', async () => {
    const gib = 1024 ** 3;
    for (let seed = 0; seed < 50; seed++) {
      requested.length = 0;
      await runStrategy(dummyWithScorerStrategy, { snapshot, scoringEngines, seed });
      const [telemetry = [], numbers = []] = requested;
      expect(telemetry).toHaveLength(9);
      expect(telemetry[0]).toBeLessThanOrEqual(100);
      expect(telemetry[1]).toBe(4 * gib);
      expect(telemetry[2]).toBeGreaterThanOrEqual(gib);
      expect(new Set(numbers).size).toBe(20);
      expect(numbers.every((value) => value >= 0 && value < 1000)).toBe(true);
    }
  });

  it('fails where the engines are missing', async () => {
    await expect(runStrategy(dummyWithScorerStrategy, { snapshot })).rejects.toThrow(NotFoundError);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(dummyWithScorerStrategy, { snapshot, scoringEngines });
  });
});
