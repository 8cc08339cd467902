import type { ScoringContainerPlugin, ScoringEnginePlugin } from '#libs/plugin-kit';
import { parseFeatures } from './dummy-scorer.ts';

function listScorer(name: string, what: string, score: (values: number[]) => number): ScoringEnginePlugin {
  return {
    kind: 'scoring_engine',
    name: `dummy_${name}_scorer`,
    description: `Dummy scorer: the ${what} of a list of numbers`,
    metainfo: '',
    calculateScore: (features) => JSON.stringify([score(parseFeatures(features))]),
  };
}

/** Minimum, maximum and mean of a JSON list of numbers, each answered as a JSON list of one number. */
export const dummyScoringContainer: ScoringContainerPlugin = {
  kind: 'scoring_container',
  name: 'dummy_scoring_container',
  description: 'Shows how one plugin brings several scoring engines.',
  engines: () => [
    listScorer('min', 'minimum', (values) => values.reduce((least, value) => Math.min(least, value))),
    listScorer('max', 'maximum', (values) => values.reduce((most, value) => Math.max(most, value))),
    listScorer('avg', 'mean', (values) => values.reduce((sum, value) => sum + value, 0) / values.length),
  ],
};
