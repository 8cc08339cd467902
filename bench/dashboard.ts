import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { dataOf } from '#libs/client';
import { openPage, startBrowser } from '../tests/browser/browser.ts';
import { signIn } from '../tests/browser/sign-in.ts';
import { visit } from '../tests/browser/visit.ts';
import { waitForPage } from '../tests/browser/wait-for-page.ts';
import { startTestStack, type TestStack } from '../tests/system/test-stack.ts';
import { benchArguments } from './arguments.ts';
import { compareScales } from './dashboard-scale.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { withTestServers } from './test-servers.ts';

/** Highest growth of heap and nodes: the last quarter of the samples as a ratio to the second quarter. */
const growthGoal = 1.1;
const mib = 1024 * 1024;
/** Times that all pages are shown before the first sample: they load and compile their code, and fill their caches. */
const warmUpRounds = 30;
/** Pages shown between two samples. Samples are taken on the first page. */
const pages = ['overview', 'plans', 'cluster', 'audits', 'tasks', 'services?tab=events'];

interface Sample {
  minute: number;
  heap: number;
  nodes: number;
  listeners: number;
  plans: number;
}

/**
 * Measures growth of heap and DOM of the dashboard while it shows one page after the other for `--minutes`, and plans
 * of `dummy` run. A sample is taken every `--seconds`, after a collection of garbage. Then `compareScales`.
 */
export async function dashboardBench(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { minutes: 10, seconds: 30 });
  await withTestServers(['postgres', 'chromium'], async () => {
    const stack = await startTestStack({ simulator: ['--generate', 'hosts=40,instances=400,seed=7,skew=3'] });
    const browser = await startBrowser();
    try {
      for (const service of ['decision-engine', 'applier']) await stack.start([service]);
      const { page } = await openPage(browser, { width: 1280, height: 900 });
      await signIn(page, stack.api.url ?? '');
      await keepPlansRunning(stack);
      const growth = growthOf(await watchGrowth(stack, page, numbers));
      const scale = await compareScales(browser);
      const results = [...growth.results, ...scale.results];
      finishBench({ bench: 'dashboard', results, goals: [...growth.goals, ...scale.goals] }, { json });
    } finally {
      await browser.close();
      await stack.stop();
    }
  });
}

async function keepPlansRunning({ client }: TestStack): Promise<void> {
  const body = { name: 'again and again', audit_type: 'CONTINUOUS', goal: 'dummy', strategy: 'dummy', interval: '5' };
  await dataOf(client.api.POST('/v1/audits', { body: { ...body, auto_trigger: true, force: true } as never }));
}

async function watchGrowth(
  { client }: TestStack,
  page: Page,
  { minutes, seconds }: { minutes: number; seconds: number },
): Promise<Sample[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  for (let round = 0; round < warmUpRounds; round += 1) await showAll(page);
  const startedAt = performance.now();
  const samples: Sample[] = [];
  for (let count = 0; count <= (minutes * 60) / seconds; count += 1) {
    await showAll(page);
    await visit(page, pages[0] ?? '');
    await sleep(Math.max(0, startedAt + count * seconds * 1000 - performance.now()));
    const minute = rounded((performance.now() - startedAt) / 60_000);
    const plans = (await client.list('action_plans')).length;
    samples.push({ minute, plans, ...(await measure(devtools)) });
    process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  return samples;
}

async function showAll(page: Page): Promise<void> {
  for (const path of pages) {
    await visit(page, path);
    await waitForPage(page);
  }
}

async function measure(devtools: CDPSession): Promise<Pick<Sample, 'heap' | 'nodes' | 'listeners'>> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

/** Skips the first quarter, in which the plans and their rows reach the numbers that pages keep. */
function growthOf(samples: readonly Sample[]): { results: BenchResult[]; goals: BenchGoal[] } {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const growth = (of: 'heap' | 'nodes') => {
    const mean = (part: readonly Sample[]) => part.reduce((sum, sample) => sum + sample[of], 0) / part.length;
    return rounded(mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter)), 3);
  };
  const results = samples.map(
    ({ minute, heap, nodes, listeners, plans }): BenchResult => ({
      name: `minute ${minute}`,
      heap_mib: rounded(heap / mib, 2),
      nodes,
      listeners,
      plans,
    }),
  );
  const goals = [
    { name: 'growth of the heap', value: growth('heap'), limit: growthGoal, unit: 'ratio' },
    { name: 'growth of the DOM', value: growth('nodes'), limit: growthGoal, unit: 'ratio' },
  ];
  return { results, goals };
}
