// @needs build
import { expect, it } from 'vitest';
import { parseAudits } from '../../services/decision-engine/replay/audits.ts';
import { simulateDay } from '../../services/decision-engine/replay/simulate-day.ts';
import { noiseSteps, noisyWorld } from './generated-worlds.ts';

const { history, settle } = noiseSteps;

it.each([
  'consolidation_optimizer:time_limit=1',
  'consolidation_optimizer:time_limit=1,balance_optimizer:time_limit=1',
])('%s: after an hour of audits noise moves nothing', async (audits) => {
  const { sums } = await simulateDay(noisyWorld(8, 1), parseAudits(audits), {
    ...{ firstStep: history, settledStep: history + settle },
    engine: { oppositeAudits: 'merge' },
  });
  expect(sums.moves).toBeGreaterThan(0);
  expect(sums.settled_moves).toBe(0);
});
