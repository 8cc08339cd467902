import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import { openPage, startBrowser } from './browser.ts';
import { problemsOfDialog } from './describe-dialogs.ts';
import { runWithPictures } from './run-pictures.ts';
import { takePicture } from './screenshot.ts';
import { signIn } from './sign-in.ts';
import { visit } from './visit.ts';
import { poll, within } from './within.ts';

/** Longest time in milliseconds until the overview of 800 hosts can be worked with. */
const budgetMs = 2000;
/** Longest time in milliseconds until a table of 1,000 rows has answered. It is 50 ms on a machine that is idle. */
const tableBudgetMs = 1000;
const sampling = ['--sample-seconds', '30', '--backfill-minutes', '2'];

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

let shared: Promise<TestStack> | undefined;
/** The stack with 800 hosts, one for all tests. */
const azure = () => {
  shared ??= startLarge(['--world', 'azure2017-800']);
  return shared;
};
const stopShared = async () => {
  const stack = await shared;
  shared = undefined;
  await stack?.stop();
};
afterAll(stopShared);

async function startLarge(world: string[]): Promise<TestStack> {
  const stack = await startTestStack({
    simulator: [...world, ...sampling],
    env: { VIGIL_MODEL_MAX_AGE_SECONDS: '60' },
  });
  await stack.start(['decision-engine']);
  return stack;
}

/** The number of hosts on the overview. The model of the cloud is collected when it is requested first. */
async function waitForHosts(page: Page, text: string): Promise<void> {
  await page.locator('.vigil-numbers dd', { hasText: text }).waitFor({ timeout: 120_000 });
}

test('800 hosts: the overview is usable within two seconds, with one stream', async () => {
  const stack = await azure();
  const { page, context, streams, problems } = await openPage(browser, { width: 1280, height: 900 });
  const url = stack.api.url ?? '';
  await signIn(page, url);
  await waitForHosts(page, '800 of 800');
  await within('overview of 800 hosts', budgetMs, async () => {
    // The page before may open its stream as late as now.
    await page.goto('about:blank');
    streams.length = 0;
    await page.goto(`${url}/dashboard/overview`);
    await waitForHosts(page, '800 of 800');
    await page.getByRole('button', { name: /^(All )?\d+ parts/ }).waitFor();
    expect(streams).toHaveLength(1);
  });
  expect(problems).toEqual([]);
  await context.close();
});

test('800 hosts: a search that would take minutes ends with the best plan so far when somebody wants it', async () => {
  const { client, api } = await azure();
  const parameters = { preset: 'balance', max_moves: 400, time_limit: 240, effort: 'best' };
  const chosen = { goal: 'placement_optimization', strategy: 'placement_optimizer', parameters };
  const body = { name: 'long search', audit_type: 'ONESHOT', ...chosen };
  const { page, context, problems } = await openPage(browser, { width: 1280, height: 900 });
  await signIn(page, api.url ?? '');
  // The search takes a whole processor, and is not needed before.
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  await visit(page, `audits/${uuid}`);
  const take = page.getByRole('button', { name: 'Take the best so far' });
  expect(await problemsOfDialog(page, take, 'the end of a search')).toEqual([]);
  await take.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take the best so far' }).click();
  expect((await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 })).state).toBe('SUCCEEDED');
  expect(problems).toEqual([]);
  await context.close();
});

test('800 hosts: a plan of the optimizer is executed, and achieves what it promised', async () => {
  const stack = await azure();
  const { client } = stack;
  await stack.start(['applier']);
  // Memory alone: CPU loads follow the time of day, which runs away below.
  const terms = { cpu_balance: 'off', hot_spots: 'off' };
  const memoryBalance = async (moves: number) => {
    const parameters = { preset: 'balance', max_moves: moves, time_limit: 3, effort: 'best', min_gain: 0, terms };
    const body = { goal: 'placement_optimization', strategy: 'placement_optimizer', audit_type: 'ONESHOT', parameters };
    const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
    expect((await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 300_000 })).state).toBe('SUCCEEDED');
    const { report } = await dataOf(client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: uuid } } }));
    const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
    return { plan, term: report?.objective?.find(({ term }) => term === 'memory_balance') };
  };
  const { plan, term: promised } = await memoryBalance(50);
  if (plan === undefined || promised === undefined) throw new Error('there is no plan');

  const quickly = () => stack.control('/speed', { speed: 1000 });
  await runWithPictures(browser, stack, plan.uuid, {
    begin: async () => {
      await quickly();
      await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
    },
    finish: async () => {
      await quickly();
      await client.waitForActionPlan(plan.uuid, { pollMs: 200, timeoutMs: 300_000 });
    },
  });
  const ended = await client.get('action_plans', plan.uuid);
  await stack.control('/speed', { speed: 1 });
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  const { term: achieved } = await memoryBalance(1);

  expect(ended.state).toBe('SUCCEEDED');
  expect(actions.length).toBeGreaterThan(20);
  expect(actions.length).toBeLessThanOrEqual(50);
  const gain = promised.before - promised.after;
  expect(gain).toBeGreaterThan(0);
  expect(Math.abs((achieved?.before ?? Number.NaN) - promised.after)).toBeLessThan(0.1 * gain);
  await stopShared();
});

test('1,000 hosts: the heat map shows them all and is used by keyboard, and the table stays quick', async () => {
  const stack = await startLarge(['--generate', 'hosts=1000,instances=6000,seed=11,skew=3']);
  const { page, context, problems } = await openPage(browser, { width: 1280, height: 900, dark: true });
  const url = stack.api.url ?? '';
  await signIn(page, url);
  await waitForHosts(page, '1,000 of 1,000');
  await visit(page, 'cluster');
  await page.locator('.vigil-map-cell').nth(999).waitFor();
  const focused = () =>
    page.evaluate("[...document.querySelectorAll('.vigil-map-cell')].indexOf(document.activeElement)");
  await page.locator('.vigil-map-cell').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBeGreaterThan(10);
  await page.keyboard.press('End');
  await expect.poll(focused).toBe(999);
  await takePicture(page, resolve('.vigil/screenshots/cluster-1000-dark.png'));

  await visit(page, 'cluster?view=table');
  const table = page.getByRole('grid', { name: 'Hosts' });
  const rows = table.locator('tbody tr');
  await rows.nth(19).waitFor();
  const first = () => rows.first().getByRole('link').textContent();
  const query = () => new URL(page.url()).search;
  const sort = table.getByRole('button', { name: 'Host', exact: true });
  const top = await first();
  let sign = '';
  await within('1,000 rows sorted the other way round', tableBudgetMs, async () => {
    sign = sign === '-' ? '' : '-';
    await sort.click();
    await poll(async () => (await first()) === (sign === '-' ? 'compute-1000' : top));
  });
  if (sign === '') await sort.click();
  // The URL changes before the rows do.
  await poll(async () => query() === '?view=table&sort=-host' && (await first()) === 'compute-1000');

  // What is shown is in the URL: it survives a reload, and the back button goes a step back.
  await page.getByRole('button', { name: 'Go to next page' }).first().click();
  await poll(async () => query() === '?view=table&sort=-host&page=2' && (await first()) !== 'compute-1000');
  const second = await first();
  await page.reload();
  await poll(async () => (await first()) === second);
  const search = page.getByLabel('Search hosts');
  await search.fill('compute-99');
  await poll(async () => (await rows.count()) === 11 && query() === '?view=table&sort=-host&search=compute-99');
  await page.goBack();
  await poll(async () => (await first()) === second && (await search.inputValue()) === '');
  await page.goBack();
  await poll(async () => (await first()) === 'compute-1000');
  await page.goto(`${url}/dashboard/cluster?view=table&sort=-host&search=compute-99&rows=10`);
  await poll(async () => (await rows.count()) === 10 && (await first()) === 'compute-999');
  await visit(page, 'cluster?view=table');
  await poll(async () => (await first()) === top);

  await mapFollowsItsSlider(stack, page);

  // On a phone the navigation is behind a button, and says who is signed in.
  await page.setViewportSize({ width: 390, height: 844 });
  const toggle = page.getByRole('button', { name: 'Navigation' });
  const isOpen = async () => (await toggle.getAttribute('aria-expanded')) === 'true';
  await poll(async () => !(await isOpen()));
  await toggle.click();
  await page.locator('.vigil-sidebar-identity').getByText('in admin').waitFor();
  await page.getByRole('link', { name: 'Audits', exact: true }).click();
  await page.waitForURL(`${url}/dashboard/audits`);
  await poll(async () => !(await isOpen()));

  expect(problems).toEqual([]);
  await context.close();
  await stack.stop();
});

/** A plan for 1,000 hosts: the map shows all of them, and the slider moves what the plan changes. */
async function mapFollowsItsSlider({ client }: TestStack, page: Page): Promise<void> {
  const body = {
    audit_type: 'ONESHOT',
    goal: 'workload_balancing',
    strategy: 'allocation_balance',
    parameters: { migration_budget: 20 },
    auto_trigger: false,
    force: false,
  } as const;
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body }));
  await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  await visit(page, `plans/${plan?.uuid}?tab=map`);
  await page.locator('.vigil-map-cell').nth(999).waitFor();
  const slider = page.locator('#map-moment');
  const touched = page.locator('.vigil-map-touched').first();
  await slider.press('Home');
  let place = 0;
  await within('a step of the slider over 1,000 hosts', tableBudgetMs, async () => {
    place = 100 - place;
    const before = await touched.getAttribute('title');
    await slider.press(place === 100 ? 'End' : 'Home');
    await poll(async () => (await touched.getAttribute('title')) !== before);
  });
}
