import type { ScoringContainerPlugin, ScoringEnginePlugin } from '#libs/plugin-kit';
import { dummyScorer } from './dummy-scorer.ts';
import { dummyScoringContainer } from './dummy-scoring-container.ts';

/** All built-in scoring engines and containers of such. */
export const scoringCatalogue: readonly (ScoringEnginePlugin | ScoringContainerPlugin)[] = [
  dummyScorer,
  dummyScoringContainer,
];
