import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { openPage } from '../tests/browser/browser.ts';
import { createRows } from '../tests/browser/rows.ts';
import { seedLists } from '../tests/browser/seed-lists.ts';
import { signIn } from '../tests/browser/sign-in.ts';
import { like, text } from '../tests/browser/texts.ts';
import { visit } from '../tests/browser/visit.ts';
import { waitForPage } from '../tests/browser/wait-for-page.ts';
import { startTestStack } from '../tests/system/test-stack.ts';
import { measureView, type ViewCosts } from './dashboard-views.ts';
import { type BenchGoal, type BenchResult, rounded } from './report.ts';

/** Runs of each act. The cheapest counts. */
const tries = 5;
/** Actions of the plan whose map is drawn. */
const moves = 20;
/**
 * Highest cost of an act on the large cloud, as a ratio to the small one. A table shows 20 rows on both. The maps draw
 * 25 times the hosts.
 */
const limits = { load: 1.3, overview: 3, audits: 2, search: 2, sort: 3, slider: 25 };
type Act = keyof typeof limits;
/** Pages whose first load is limited. `vite.config.ts` limits their scripts and styles. */
const firstPages = ['overview', 'audits', 'plans'] as const;
/** Lists are read again when the stream has its first state. These bytes count too. Milliseconds. */
const settleMs = 2_000;
/** Of the large cloud, for each page: bytes of the first load, largest paint and longest task. */
const most = { load: 250_000, largestPaintMs: 1500, longestTaskMs: 200 };
const titles: Record<Act, string> = {
  load: 'bytes of the first load of the audits',
  overview: 'the overview',
  audits: 'the list of audits',
  search: 'a search in the list of audits',
  sort: 'a table of hosts sorted',
  slider: 'a step of the slider of a map',
};

/** A cloud, its audits, and the statements that fill its lists. */
interface World {
  hosts: number;
  instances: number;
  /** A page of the list by default. An empty list costs nothing, so a ratio to it means nothing. */
  audits?: number;
  lists?: string;
}
const small: World = { hosts: 40, instances: 240 };
const large: World = { hosts: 1000, instances: 6000, lists: seedLists };

/**
 * Compares the dashboard of a cloud of 1,000 hosts, 10,000 audits and 20 plans of 2,000 actions with that of 40 hosts
 * and 20 audits: processor time of the page for each act, and bytes of the first load.
 */
export async function compareScales(browser: Browser): Promise<{ results: BenchResult[]; goals: BenchGoal[] }> {
  const [few, many] = [await measureWorld(browser, small), await measureWorld(browser, large)];
  const acts = Object.keys(limits) as Act[];
  const ratio = (act: Act) => rounded(many.costs[act] / few.costs[act], 2);
  const highest = (cost: keyof ViewCosts) => rounded(Math.max(...Object.values(many.views).map((view) => view[cost])));
  return {
    results: [
      ...acts.map((act) => ({
        name: titles[act],
        small: rounded(few.costs[act], 2),
        large: rounded(many.costs[act], 2),
        ratio: ratio(act),
      })),
      ...firstPages.map((path) => ({ name: `first load: ${path}`, bytes: many.loads[path] ?? 0 })),
      ...Object.entries(many.views).map(([path, { largestPaintMs, longestTaskMs }]) => ({
        name: `opened: ${path}`,
        largest_paint_ms: rounded(largestPaintMs),
        longest_task_ms: rounded(longestTaskMs),
      })),
    ],
    goals: [
      ...acts.map((act) => ({
        name: `${titles[act]}, large to small`,
        value: ratio(act),
        limit: limits[act],
        unit: 'ratio',
      })),
      ...firstPages.map((path) => ({
        name: `first load of ${path}`,
        value: many.loads[path] ?? Number.NaN,
        limit: most.load,
        unit: 'bytes',
      })),
      { name: 'largest paint', value: highest('largestPaintMs'), limit: most.largestPaintMs, unit: 'ms' },
      { name: 'longest task', value: highest('longestTaskMs'), limit: most.longestTaskMs, unit: 'ms' },
      { name: 'streams of one page', value: many.streams, limit: 1, unit: 'streams' },
    ],
  };
}

interface Measured {
  /** Bytes for the load, milliseconds of processor time for all other acts. */
  costs: Record<Act, number>;
  streams: number;
  /** Bytes of the first load by page. */
  loads: Record<string, number>;
  /** By path. */
  views: Record<string, ViewCosts>;
}

async function measureWorld(browser: Browser, { hosts, instances, audits = 20, lists }: World): Promise<Measured> {
  const stack = await startTestStack({
    simulator: ['--generate', `hosts=${hosts},instances=${instances},seed=11,skew=3`, '--speed', '0'],
    env: { VIGIL_MODEL_MAX_AGE_SECONDS: '600' },
  });
  const store = await createStore({ url: stack.env.VIGIL_DATABASE_URL ?? '', logger: silentLogger });
  try {
    await stack.start(['decision-engine']);
    const rows = createRows(store.db);
    const { plan } = await rows.plan({ actions: moves, hosts: ['compute-1', 'compute-2'] });
    for (let count = 1; count < audits; count += 1) await rows.audit({ state: 'SUCCEEDED' });
    if (lists) await stack.sql(lists);
    const { page, context, streams } = await openPage(browser, { width: 1280, height: 900 });
    await signIn(page, stack.api.url ?? '');
    await waitForPage(page);
    const loads: Record<string, number> = {};
    let opened = 0;
    for (const path of firstPages) {
      await page.goto('about:blank');
      streams.length = 0;
      loads[path] = await bytesOfLoad(page, `${stack.api.url}/dashboard/${path}`);
      opened = Math.max(opened, streams.length);
    }
    const costs = { load: loads.audits ?? Number.NaN, ...(await costsOfActs(page, plan.uuid)) };
    const views: Record<string, ViewCosts> = {};
    for (const path of [...firstPages, 'cluster', `plans/${plan.uuid}?tab=map`]) {
      const name = path.replace(plan.uuid, 'PLAN');
      views[name] = await measureView(browser, page, `${stack.api.url}/dashboard/${path}`);
    }
    await context.close();
    return { costs, streams: opened, loads, views };
  } finally {
    await store.close();
    await stack.stop();
  }
}

/**
 * Bytes over the wire, with headers, until the page is complete and live, from an empty cache: document, scripts,
 * styles, session, responses of the API, and the first state of the stream.
 */
async function bytesOfLoad(page: Page, url: string): Promise<number> {
  const network = await page.context().newCDPSession(page);
  const bytes = new Map<string, number>();
  // The stream does not finish: its parts count as they arrive.
  network.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, (bytes.get(requestId) ?? 0) + encodedDataLength),
  );
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url);
  await waitForPage(page);
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  await sleep(settleMs);
  await network.detach();
  return [...bytes.values()].reduce((sum, length) => sum + length, 0);
}

async function costsOfActs(page: Page, plan: string): Promise<Record<Exclude<Act, 'load'>, number>> {
  const devtools = await page.context().newCDPSession(page);
  // By default the metrics are elapsed times, which grow with the load of the machine.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const open = (path: string) => async () => {
    await visit(page, path);
    await waitForPage(page);
  };
  const overview = await cheapest(devtools, open('overview'));
  const audits = await cheapest(devtools, open('audits'));
  const search = await cheapest(devtools, searchOnce(page));
  await open('cluster?view=table')();
  const sort = await cheapest(devtools, sortOnce(page));
  await open(`plans/${plan}?tab=map`)();
  const slider = await cheapest(devtools, slideOnce(page));
  return { overview, audits, search, sort, slider };
}

/** Returns the processor time of the page for the cheapest run of an act, in milliseconds. */
async function cheapest(devtools: CDPSession, act: (place: number) => Promise<void>): Promise<number> {
  const spent = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const costs: number[] = [];
  for (let place = 0; place < tries; place += 1) {
    const before = await spent();
    await act(place);
    costs.push((await spent()) - before);
  }
  return Math.min(...costs);
}

function searchOnce(page: Page) {
  const search = page.getByRole('textbox', { name: like('table.searchFor') });
  return async (place: number) => {
    await search.fill(`none such ${place}`);
    await page.getByText(text('table.nothing')).waitFor();
    await page.waitForURL(new RegExp(`none\\+such\\+${place}`));
  };
}

function sortOnce(page: Page) {
  const table = page.getByRole('grid', { name: text('column.hosts') });
  const column = table.getByRole('columnheader', { name: text('column.host'), exact: true });
  return async (place: number) => {
    await column.getByRole('button').click();
    const order = place % 2 === 0 ? 'ascending' : 'descending';
    await page.locator(`th[aria-sort=${order}]`).waitFor();
  };
}

function slideOnce(page: Page) {
  const slider = page.getByRole('slider', { name: text('map.slider') });
  return async (place: number) => {
    const [key, moment] = place % 2 === 0 ? (['End', 'map.after'] as const) : (['Home', 'map.before'] as const);
    await slider.press(key);
    await page.locator(`input[aria-valuetext="${text(moment)}"]`).waitFor();
  };
}
