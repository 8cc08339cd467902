import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { highestShift, layoutShiftOf, planMapResponses } from './layout-shift.ts';
import { seededPlan, seedLists } from './seed-lists.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({
  simulator: ['--generate', 'hosts=1000,instances=6000,seed=11,skew=3', '--speed', '0', '--backfill-minutes', '1'],
  env: { VIGIL_MODEL_MAX_AGE_SECONDS: '600' },
  services: ['decision-engine'],
});
beforeAll(async () => {
  await strategyNames(here.stack.client);
  await here.stack.sql(seedLists);
  await here.store.db.publishedStates.publish({ kind: 'dead_letters', name: 'bus', doc: { count: 1 } });
});

test('the heat map of 1,000 hosts is used by keyboard', async () => {
  const page = await here.open('cluster', { dark: true });
  const hosts = page.getByTestId('map-host');
  await expect.poll(() => hosts.count()).toBe(1000);
  const focused = () => page.evaluate("document.activeElement?.getAttribute('title')");
  await hosts.first().focus();
  const begin = await focused();
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).not.toBe(begin);
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(await hosts.last().getAttribute('title'));
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe(begin);
});

test('the table of 1,000 hosts is sorted, paged and searched as its URL has it', async () => {
  const page = await here.open('cluster?view=table&sort=-host&search=compute-99&rows=10');
  const links = page.getByRole('grid', { name: text('column.hosts') }).getByRole('link', { name: /^compute-/ });
  await expect.poll(() => links.count()).toBe(10);
  expect(await links.first().textContent()).toBe('compute-999');
  await page
    .getByRole('button', { name: text('paging.next') })
    .first()
    .click();
  await expect.poll(() => links.allTextContents()).toEqual(['compute-99']);
});

test('the page of the cluster reads its hosts and its chart once while nothing changes', async () => {
  const { client } = here.stack;
  const page = await here.open('cluster');
  const isNewer = async () => {
    const { load } = await client.internal<{ load: { at: string } }>('GET', '/cluster/summary');
    const models = await here.store.db.publishedStates.list('data_model');
    const published = models.find(({ name }) => name === 'compute')?.doc.published_at;
    return Date.parse(load.at) > Date.parse(String(published));
  };
  await expect.poll(isNewer, { timeout: 60_000, interval: 500 }).toBe(true);
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/internal\/(cluster|history)\//.test(pathname)) reads.push(pathname);
  });
  await page.goto(`${here.api.url}/dashboard/cluster`);
  await waitForPage(page);
  // A badge of the navigation appears with the full state of the stream. The page would read again 200 ms later.
  await page.getByText(text('shell.failedWork')).waitFor({ state: 'attached' });
  await page.evaluate('new Promise((done) => setTimeout(done, 500))');
  expect(reads.sort()).toEqual(['/internal/cluster/summary', '/internal/history/spread']);
});

test('the map of a plan for 1,000 hosts follows its slider', async () => {
  const { plan } = await here.rows.plan({ actions: 20, hosts: ['compute-1', 'compute-2'] });
  const page = await here.open(`plans/${plan.uuid}?tab=map`);
  await expect.poll(() => page.getByTestId('map-host').count()).toBe(1000);
  const slider = page.getByRole('slider', { name: text('map.slider') });
  const source = page.getByTitle(like('map.changed', { host: 'compute-1' })).first();
  await slider.press('Home');
  const before = await source.getAttribute('title');
  await slider.press('End');
  await expect.poll(() => source.getAttribute('title')).not.toBe(before);
});

test('the parts of a plan with the map of 1,000 hosts arrive one by one without moving each other', async () => {
  const { plan } = await here.rows.plan({ actions: 20, hosts: ['compute-1', 'compute-2'] });
  const page = await here.open('');
  const url = `${here.api.url}/dashboard/plans/${plan.uuid}?tab=map`;
  expect(await layoutShiftOf(page, url, planMapResponses)).toBeLessThan(highestShift);
});

test('a list of 10,000 audits is searched on the server', async () => {
  const page = await here.open('audits');
  await page.getByRole('textbox', { name: like('table.searchFor') }).fill('seeded 7701');
  await page.getByRole('link', { name: 'seeded 7701' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /^seeded/ }).count()).toBe(1);
});

test('a list of plans of 2,000 actions shows their headlines', async () => {
  const page = await here.open('plans');
  await page
    .getByText(text('gain.live', { count: 2000 }))
    .first()
    .waitFor();
  await page.goto(`${here.api.url}/dashboard/plans/${seededPlan}?tab=graph`);
  await page.locator('[data-testid=step][data-group]').first().waitFor();
});

test('a long search ends with the best plan so far', async () => {
  const { client } = here.stack;
  const parameters = { preset: 'balance', max_moves: 400, time_limit: 240, effort: 'best' };
  const chosen = { goal: 'placement_optimization', strategy: 'placement_optimizer', parameters };
  const body = { name: 'long search', audit_type: 'ONESHOT', ...chosen };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const page = await here.open(`audits/${uuid}`);
  await page.getByRole('button', { name: text('search.use') }).click();
  await page
    .getByRole('dialog', { name: text('search.end') })
    .getByRole('button', { name: text('search.use') })
    .click();
  expect((await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 })).state).toBe('SUCCEEDED');
});
