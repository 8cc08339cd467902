import { expect, it } from 'vitest';
import type { ReplayedStrategy } from './audit-world.ts';
import { replayPage } from './replay-page.ts';

const markup = '<script>alert("1")</script>&';

function replayed(strategy: string): ReplayedStrategy {
  return {
    ...{ strategy, parameters: {}, sums: { plans: 1, moves: 2, kwh: 3.25 }, hours: [], plans: [] },
    ...{ failed: { runs: 1, reason: markup }, missing_metrics: [] },
  };
}

it('escapes titles, names of strategies and reasons', () => {
  const page = replayPage(markup, [replayed('none'), replayed(`a${markup}`)]);
  expect(page).not.toContain('<script');
  expect(page.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;').length - 1).toBeGreaterThanOrEqual(5);
});

it('shows the sums of each strategy', () => {
  expect(replayPage('week', [replayed('basic')])).toMatch(/<td>basic<\/td><td>1<\/td><td>2<\/td>/);
});
