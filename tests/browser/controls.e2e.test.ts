import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import { seriousProblems } from './accessibility.ts';
import { openPage, startBrowser, type WatchedPage } from './browser.ts';
import { describeLongLists } from './describe-long-lists.ts';
import { oddTexts } from './odd-texts.ts';
import { signIn } from './sign-in.ts';
import { visit } from './visit.ts';

/** Three zones, each with the aggregate that makes it: 3, 3 and 2 hosts. No server arrives before `letPass`. */
const world = ['--generate', 'hosts=8,instances=60,seed=7,skew=3,zones=3', '--speed', '0'];

interface Summary {
  hosts: { hostname: string; aggregates: number[] }[];
  aggregates: { id: number; name: string }[];
}

let stack: TestStack;
let browser: Browser;
let window: WatchedPage;

beforeAll(async () => {
  browser = await startBrowser();
  stack = await startTestStack({ simulator: world });
  await stack.start(['decision-engine']);
  await stack.start(['applier'], { VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: '1' });
  window = await openPage(browser, { width: 1280, height: 900 });
  await signIn(window.page, stack.api.url ?? '');
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const letPass = (speed: number) => stack.control('/speed', { speed });
const open = (path: string) => visit(window.page, path);
/** Clicks a button that asks, and says yes. */
async function confirm(page: Page, from: Page | Locator, name: string): Promise<void> {
  await from.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}
const label = (page: Page, state: string) => page.locator('.pf-v6-c-label').getByText(state, { exact: true }).first();

test('pauses a plan, lets it go on, aborts it, and deletes it', async () => {
  const { page } = window;
  const { client } = stack;
  const audit = await dataOf(
    client.api.POST('/v1/audits', {
      body: {
        name: 'controlled',
        audit_type: 'ONESHOT',
        goal: 'workload_balancing',
        strategy: 'workload_stabilization',
        parameters: { thresholds: { instance_cpu_usage: 0.02 } },
        auto_trigger: false,
        force: false,
      } as never,
    }),
  );
  await client.waitForAudit(audit.uuid, { pollMs: 200, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  const uuid = plan?.uuid ?? '';
  const params = { params: { path: { ident: uuid } } };
  const state = async () => (await client.get('action_plans', uuid)).state;
  const outcome = () => dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', params));
  const steps = (state: string) => page.locator(`.vigil-step[data-state=${state}]`);

  await open(`plans/${uuid}?tab=graph`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  // Somebody else is about to do the same.
  const other = (await openPage(browser, { width: 1280, height: 900 })).page;
  await signIn(other, stack.api.url ?? '');
  await visit(other, `plans/${uuid}`);
  await other.getByRole('button', { name: 'Start', exact: true }).click();
  const theirs = other.getByRole('dialog', { name: 'Start the plan' });
  await theirs.getByRole('button', { name: 'Start the plan' }).waitFor();
  await page.getByRole('button', { name: 'Start the plan' }).click();
  await theirs.getByText('This has changed since you opened it').waitFor();
  await theirs.getByText('This can no longer be done').waitFor();
  expect(await theirs.getByRole('button', { name: 'Start the plan' }).isDisabled()).toBe(true);
  await theirs.getByRole('button', { name: 'Not now' }).click();
  await steps('ONGOING').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await label(page, 'PAUSED').waitFor();
  await label(other, 'PAUSED').waitFor();
  await other.context().close();
  expect(await outcome()).toMatchObject({ paused: true });
  // What runs comes to its end, and nothing takes its place.
  await letPass(300);
  await expect.poll(() => steps('ONGOING').count()).toBe(0);
  expect(await steps('PENDING').count()).toBeGreaterThan(0);
  expect(await state()).toBe('ONGOING');

  await letPass(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await steps('ONGOING').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await outcome()).toMatchObject({ paused: false });

  await confirm(page, page, 'Abort');
  await page.getByText('The plan is being aborted').or(label(page, 'CANCELLED')).first().waitFor();
  await letPass(300);
  await label(page, 'CANCELLED').waitFor();
  await expect.poll(() => steps('CANCELLED').count()).toBeGreaterThan(0);
  expect(await state()).toBe('CANCELLED');
  expect(await outcome()).toMatchObject({ abort_running: true });
  const actions = await client.list('actions', { filters: { action_plan_uuid: uuid } });
  const unended = actions.filter(({ state }) => state === 'PENDING' || state === 'ONGOING');
  expect(unended).toEqual([]);

  await confirm(page, page, 'Delete');
  await page.getByRole('heading', { name: 'There is no such action plan' }).waitFor();
  expect(await client.list('action_plans', { filters: { audit_uuid: audit.uuid } })).toEqual([]);
});

test('a continuous audit runs when the wizard said; it is cancelled and deleted', async () => {
  const { page } = window;
  const { client } = stack;
  await open('audits/new');
  await page.getByLabel('Name').fill('every night');
  await page.locator('#audit-goal').selectOption({ label: 'Workload Balancing' });
  await page.locator('#audit-strategy').selectOption({ label: 'Workload stabilization' });
  const next = page.getByRole('button', { name: 'Next', exact: true });
  for (let step = 0; step < 3; step++) await next.click();
  await page.getByLabel('Again and again').check();
  const schedule = page.locator('#audit-interval');
  await schedule.fill('every night');
  await page.getByText('it needs five fields').waitFor();
  expect(await next.isDisabled()).toBe(true);
  await schedule.fill('0 3 * * *');
  const runs = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem');
  await expect.poll(() => runs.count()).toBe(5);
  const [first = ''] = await runs.allTextContents();
  await next.click();
  await page.getByRole('button', { name: 'Create audit' }).click();
  await page.getByRole('heading', { level: 1, name: 'every night' }).waitFor();
  await page.getByText(first, { exact: false }).waitFor();
  const audit = await client.get('audits', 'every night');
  expect(audit).toMatchObject({ audit_type: 'CONTINUOUS', interval: '0 3 * * *' });
  expect(audit.next_run_time).toMatch(/T03:00:00/);

  await confirm(page, page, 'Cancel');
  await label(page, 'CANCELLED').waitFor();
  expect((await client.get('audits', audit.uuid)).state).toBe('CANCELLED');

  await confirm(page, page, 'Delete');
  await page.getByRole('heading', { name: 'There is no such audit' }).waitFor();
  expect((await client.list('audits')).map(({ uuid }) => uuid)).not.toContain(audit.uuid);
});

test('creates an audit template with a scope, audits from it, and deletes it', async () => {
  const { page } = window;
  const { client } = stack;
  await open('templates');
  await page.getByRole('button', { name: 'Create template' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('second zone');
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await dialog.locator('#template-goal').selectOption({ label: 'Workload Balancing' });
  await dialog.locator('#template-strategy').selectOption({ label: 'Workload stabilization' });
  await dialog.locator('#scope-zones-zone-2').check();
  await dialog.getByRole('button', { name: 'Create template' }).click();
  const row = page.getByRole('grid', { name: 'Audit templates' }).getByRole('row', { name: /second zone/ });
  await row.getByText('zone zone-2', { exact: false }).waitFor();
  const template = await client.get('audit_templates', 'second zone');
  const scope = [{ compute: [{ availability_zones: [{ name: 'zone-2' }] }] }];
  expect(template).toMatchObject({ strategy_name: 'workload_stabilization', scope });

  await confirm(page, row, 'Audit');
  // A message of an audit before may still be shown: it would say nothing yet.
  const audit = expect.objectContaining({ audit_type: 'ONESHOT', scope });
  await expect.poll(() => client.list('audits')).toContainEqual(audit);
  await page.getByText('The audit has been created').last().waitFor();

  await confirm(page, row, 'Delete');
  // Behind an open dialog no row has a role: that it cannot be found would say nothing yet.
  await page.getByText('The template is deleted').waitFor();
  await page.getByText('No audit templates yet').waitFor();
  expect(await client.list('audit_templates')).toEqual([]);
});

test('the zone and the aggregate choose the hosts of the map and of the table', async () => {
  const { page } = window;
  await open('cluster');
  const rows = page.getByRole('grid', { name: 'Hosts' }).locator('tbody tr');
  const shown = async () => ({ map: await page.locator('.vigil-map-cell').count(), table: await rows.count() });
  await expect.poll(shown).toEqual({ map: 8, table: 8 });
  await page.getByLabel('How hosts are put together').selectOption('zone');
  const groups = page.locator('.vigil-map-title');
  await expect.poll(() => groups.allTextContents()).toEqual(['zone-1', 'zone-2', 'zone-3']);
  const legend = page.locator('.vigil-legend');
  expect(await legend.innerText()).toMatch(/^0.%/);
  await page.getByRole('button', { name: 'Least to most' }).click();
  await expect.poll(() => legend.innerText()).not.toMatch(/^0.%/);
  expect(new URL(page.url()).search).toBe('?group=zone&scale=relative');
  // A chart is read by keyboard, over a day as well.
  const day = page.waitForResponse(/history\/spread\?start=/);
  await page.getByRole('button', { name: '1 day' }).click();
  expect(((await (await day).json()) as { at: number[] }).at).not.toEqual([]);
  const chart = page.getByRole('slider', { name: 'CPU load over hosts' });
  await chart.press('Home');
  const values = page.locator('.vigil-chart-values', { hasText: /Mean [\d.]+.%/ });
  await values.waitFor();
  // New values, or another theme, draw it anew: what is read stays.
  const canvas = await chart.locator('canvas').elementHandle();
  await page.evaluate("document.documentElement.classList.toggle('drawn-anew')");
  await canvas?.waitForElementState('hidden');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await values.waitFor();
  await open('cluster');
  await page.getByLabel('Zone').selectOption('zone-3');
  await expect.poll(shown).toEqual({ map: 2, table: 2 });
  expect(await rows.locator('a').allTextContents()).toEqual(['compute-3', 'compute-6']);
  await page.getByLabel('Aggregate').selectOption('zone-1');
  await page.getByText('Nothing matches').waitFor();
  await page.getByLabel('Zone').selectOption('');
  await expect.poll(shown).toEqual({ map: 3, table: 3 });
  await page.reload();
  await expect.poll(shown).toEqual({ map: 3, table: 3 });
  const summary = await stack.client.internal<Summary>('GET', '/cluster/summary');
  const id = summary.aggregates.find(({ name }) => name === 'zone-1')?.id ?? -1;
  const inside = summary.hosts.filter(({ aggregates }) => aggregates.includes(id)).map(({ hostname }) => hostname);
  expect(await rows.locator('a').allTextContents()).toEqual(inside.sort());
});

test('a host is acted on where it is looked at, an instance is found from everywhere and kept where it is', async () => {
  const { page } = window;
  const { client } = stack;
  await open('cluster/hosts/compute-1');
  await page.getByRole('button', { name: 'Empty for maintenance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing is changed before').waitFor();
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose a plan' }).click();
  await page.waitForURL(/\/audits\/[0-9a-f-]{36}$/);
  const audit = await client.waitForAudit(new URL(page.url()).pathname.split('/').at(-1) ?? '', { pollMs: 200 });
  expect(audit).toMatchObject({ strategy_name: 'host_maintenance', parameters: { maintenance_node: 'compute-1' } });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  expect(plan?.state).toBe('RECOMMENDED');

  await open('cluster/hosts/compute-1');
  await page.getByRole('button', { name: 'Balance away' }).click();
  await dialog.getByRole('button', { name: 'Change in the wizard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Create audit' }).waitFor();
  await page.getByLabel('Resource').or(page.getByLabel('Threshold')).waitFor();

  const { instances } = await client.internal<{ instances: { uuid: string; name: string }[] }>(
    'GET',
    '/cluster/hosts/compute-1',
  );
  const [{ uuid, name } = { uuid: '', name: '' }] = instances;
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Name or uuid' }).fill(uuid.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await confirm(page, page, 'Keep it here');
  await page.getByRole('button', { name: 'Let it move again' }).waitFor();
  expect(await rules()).toEqual([expect.objectContaining({ kind: 'leave_alone', instances: { uuids: [uuid] } })]);
  await confirm(page, page, 'Let it move again');
  await page.getByRole('button', { name: 'Keep it here' }).waitFor();
  expect(await rules()).toEqual([]);
});

const rules = async () =>
  (await stack.client.internal<{ placement_rules: object[] }>('GET', '/placement-rules')).placement_rules;

test('a placement rule is made with a host that was searched for, tells what it is about, and is changed and deleted', async () => {
  const { page } = window;
  await open('rules');
  await page.getByText('No placement rules yet').waitFor();
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('#rule-name').fill('off two');
  await dialog.locator('#rule-kind').selectOption({ label: 'Avoid hosts' });
  await dialog.locator('#rule-names').fill('*');
  await dialog.locator('#rule-hosts').fill('TE-2');
  await dialog.getByRole('option', { name: /compute-2/ }).click();
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await dialog.getByRole('button', { name: 'Create the rule' }).click();
  const row = page.getByRole('grid', { name: 'Placement rules' }).getByRole('row', { name: /off two/ });
  await row.getByText(/60 instances, 1 host, \d+ not as it asks/).click();
  await row.getByRole('link').first().waitFor();
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await row.getByRole('button', { name: 'Edit off two' }).click();
  await dialog.getByLabel('Enforced').uncheck();
  await dialog.getByRole('button', { name: 'Save the rule' }).click();
  await row.getByText('not enforced').waitFor();
  expect(await rules()).toEqual([expect.objectContaining({ hosts: { names: ['compute-2'] }, enabled: false })]);
  await confirm(page, row, 'Delete');
  await page.getByText('No placement rules yet').waitFor();
});

test('a host that is down is evacuated only after somebody has stated that it is fenced', async () => {
  const { page } = window;
  await stack.control('/faults', { kind: 'host-down', host: 'compute-8' });
  const evacuate = page.getByRole('button', { name: 'Evacuate' });
  // A dry run has the model collected again. A page does so only when it is a minute old.
  const parameters = { maintenance_node: 'compute-1' };
  const body = { goal: 'cluster_maintaining', strategy: 'host_maintenance', parameters };
  await open('cluster/hosts/compute-8');
  await page.getByRole('button', { name: 'Leave out' }).waitFor();
  // It changes while its page is not shown.
  await open('cluster');
  const isKnown = async () => {
    await stack.client.api.POST('/v1/audits/preview', { body });
    return page.getByText('8 hosts, 7 up').isVisible();
  };
  await expect.poll(isKnown, { interval: 3_000, timeout: 120_000 }).toBe(true);
  await open('cluster/hosts/compute-8');
  await evacuate.click();
  const dialog = page.getByRole('dialog');
  const propose = dialog.getByRole('button', { name: 'Propose a plan' });
  expect(await propose.isDisabled()).toBe(true);
  await dialog.getByLabel('compute-8 is fenced', { exact: false }).check();
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await propose.click();
  await page.waitForURL(/\/audits\/[0-9a-f-]{36}$/);
  const audit = await stack.client.get('audits', new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(audit).toMatchObject({
    strategy_name: 'failed_host_evacuation',
    parameters: { fenced_hosts: ['compute-8'] },
    auto_trigger: false,
  });
});

describeLongLists(() => ({ stack, browser, window }));

test('nothing went wrong in the page', () => {
  expect(window.problems).toEqual([]);
});
