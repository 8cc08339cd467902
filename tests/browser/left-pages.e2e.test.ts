import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({
  services: ['decision-engine'],
  simulator: ['--generate', 'hosts=40,instances=400,seed=7,skew=3'],
});

/** From about the tenth chart on V8 keeps the newest one, since uPlot defines a getter on each. */
const visits = 20;
/** Nodes of a chart that the page has left. The page around it has about 1,500. */
const mostLeft = 300;

test('a page that is left is freed, with its charts', async () => {
  const page = await here.open('overview');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  for (let count = 0; count < visits; count += 1) {
    await visit(page, 'cluster');
    await waitForPage(page);
    await page.locator('.vigil-chart canvas').waitFor();
  }
  await visit(page, 'audits');
  await waitForPage(page);
  const shown = await page.evaluate<number>(
    "document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue",
  );
  expect((await nodesOf(devtools)) - shown).toBeLessThan(mostLeft);
});

/** Nodes that the browser holds after a collection of garbage. */
async function nodesOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'Nodes')?.value ?? Number.NaN;
}
