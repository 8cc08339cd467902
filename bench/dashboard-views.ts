import type { Browser, Page } from 'playwright-core';
import { waitForPage } from '../tests/browser/wait-for-page.ts';
import { median } from './report.ts';

/** Costs of a page that is opened with all its scripts. */
export interface ViewCosts {
  /** Median time of the loads until the largest content is drawn, in milliseconds (largest contentful paint). */
  largestPaintMs: number;
  /** Processor time of the longest task of the page, in milliseconds. */
  longestTaskMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** Loads of a page without a trace, which slows it down. An odd number. */
const loads = 5;

/** Opens a page several times and measures it until it is complete. */
export async function measureView(browser: Browser, page: Page, url: string): Promise<ViewCosts> {
  const open = async () => {
    await page.goto('about:blank');
    await page.goto(url);
    await waitForPage(page);
  };
  const paints: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    await open();
    paints.push(await page.evaluate<number>(largestPaint));
  }
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await open();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  return { largestPaintMs: median(paints), longestTaskMs: longestTaskOf(traceEvents) };
}

/** @throws Error when the trace has no task of a page: then nothing was measured. */
function longestTaskOf(events: readonly TraceEvent[]): number {
  const keyOf = ({ pid, tid }: TraceEvent) => `${pid}.${tid}`;
  const mainThreads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(keyOf),
  );
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && mainThreads.has(keyOf(event)));
  const times = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
  if (times.length === 0) throw new Error('the trace has no task of the page');
  return times.reduce((most, time) => Math.max(most, time), 0);
}
