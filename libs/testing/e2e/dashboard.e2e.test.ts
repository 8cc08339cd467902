import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';
import { seriousProblems } from './accessibility.ts';
import { openPage, startBrowser, type WatchedPage } from './browser.ts';
import { failTask, parkMessages } from './given-up-work.ts';
import { oddTexts } from './odd-texts.ts';
import { startPrefixProxy } from './prefix-proxy.ts';
import { takePicture, takeWhole } from './screenshot.ts';
import { signIn } from './sign-in.ts';

const screenshots = resolve('.vigil/screenshots');
/** A small cloud with a load that is spread badly, and migrations that take seconds. */
const world = ['--generate', 'hosts=8,instances=60,seed=7,skew=3', '--speed', '40'];

/** The simulated cloud's, of the user `vigil`; its secret is the password. */
const credentialId = createHash('sha256').update('application-credential/vigil').digest('hex').slice(0, 32);

let stack: TestStack;
let api: VigilProcess;
let browser: Browser;
let window: WatchedPage;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await startBrowser();
  stack = await startTestStack({ simulator: world, env: { VIGIL_WEBSSO: 'openid=Company account' } });
  api = stack.api;
  await parkMessages(stack.env.VIGIL_DATABASE_URL ?? '', 2);
  await stack.start(['decision-engine']);
  await stack.start(['applier']);
  await stack.start(['scheduler']);
  window = await openPage(browser, { width: 1280, height: 900 });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const createdPlan = async (page: Page) => {
  const link = page.locator('.vigil-rows a[href*="/plans/"]').first();
  await link.waitFor();
  return link;
};

/** Hosts of the plan that the page shows, as the API tells of them. */
async function hostsOfPlan(page: Page) {
  const ident = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const preview = stack.client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident } } });
  return (await dataOf(preview)).hosts;
}

/** Numbers of instances and of GiB that there can be. */
function expectPossibleHosts(text: string): void {
  expect(text).toMatch(/\+\d+/);
  expect(text).not.toMatch(/undefined|NaN|null|→\s*[-−]\d/);
}

/** Goes through the wizard to its last step. */
async function fillWizard(page: Page, name: string): Promise<void> {
  await page.goto(`${api.url}/dashboard/audits/new`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Goal', { exact: false }).first().selectOption({ label: 'Workload Balancing' });
  await page.getByLabel('Strategy').selectOption({ label: 'Workload stabilization' });
  const next = page.getByRole('button', { name: 'Next' });
  await next.click();
  const threshold = page.locator('#parameter-thresholds-instance_cpu_usage');
  await threshold.fill('3');
  await expect.poll(() => next.isDisabled()).toBe(true);
  await threshold.fill('0.02');
  await next.click();
  await next.click();
  await next.click();
}

test('signs in, and is told when Keystone refuses', async () => {
  const { page } = window;
  await page.goto(`${api.url}/dashboard/audits`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('wrong');
  await page.locator('#sign-in-project').fill('admin');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Keystone refuses').waitFor();
  await signIn(page, api.url ?? '');
  const cookies = await window.context.cookies();
  expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
    { httpOnly: true, sameSite: 'Strict' },
  ]);
});

test('from the wizard and its dry run to a plan whose actions move live to their end, across a restart of the API', async () => {
  const { page, streams } = window;
  await fillWizard(page, 'e2e');
  await page.getByRole('button', { name: 'Dry run', exact: true }).click();
  await page.getByText(/would propose \d+ actions/).waitFor();
  await page.getByRole('button', { name: /Compare/ }).click();
  await page.getByRole('grid', { name: 'Strategies compared' }).waitFor();
  expect(await oddTexts(page)).toEqual([]);
  await takeWhole(page, join(screenshots, 'dry-run-light.png'));
  await page.getByRole('button', { name: 'Hosts before and after' }).click();
  expectPossibleHosts(await page.getByRole('grid', { name: 'Hosts', exact: true }).innerText());
  await page.getByRole('button', { name: 'Create audit' }).click();
  await (await createdPlan(page)).click();
  await page
    .getByRole('region', { name: 'What the plan brings and costs' })
    .getByText(/\d+ live migrations/)
    .waitFor();
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('.vigil-step').first().waitFor();
  const foreseen = await hostsOfPlan(page);
  const count = await page.locator('.vigil-step').count();
  expect(count).toBeGreaterThan(1);

  // By keyboard alone: into the graph, to another action, its reason, and back to where it was.
  await page.getByRole('region', { name: 'Actions and who waits for whom' }).focus();
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate("document.activeElement?.getAttribute('data-action')");
  const begin = await focused();
  await page.keyboard.press('End');
  await expect.poll(focused).not.toBe(begin);
  const reached = await focused();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Why' }).waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe(reached);
  await page.getByLabel('Close the action').press('Enter');
  await expect.poll(focused).toBe(reached);
  // Nothing arrives before the restart has been looked at.
  await stack.control('/speed', { speed: 0 });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/\d+ live migrations/)
    .waitFor();
  expect(await oddTexts(page)).toEqual([]);
  await page.getByRole('button', { name: 'Start the plan' }).click();
  await page.locator('.vigil-step[data-state=ONGOING]').first().click();
  await page.getByRole('heading', { name: 'Why' }).waitFor();
  await takePicture(page, join(screenshots, 'plan-running-light.png'));
  await page.getByLabel('Close the action').click();

  // The map: what moves now, before and after by keyboard alone.
  await page.getByRole('tab', { name: 'Map' }).click();
  await expect.poll(() => page.locator('.vigil-map-cell').count()).toBe(8);
  await page.locator('.vigil-map-instance').first().waitFor({ state: 'attached' });
  await page.getByText(/instances? moves? now/).waitFor();
  const slider = page.getByRole('slider', { name: 'From before to after the plan' });
  await slider.press('End');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('After');
  const after = await page.locator('.vigil-map-cell').evaluateAll((cells) => cells.map(({ className }) => className));
  await slider.press('Home');
  await expect
    .poll(() => page.locator('.vigil-map-cell').evaluateAll((cells) => cells.map(({ className }) => className)))
    .not.toEqual(after);
  await takePicture(page, join(screenshots, 'plan-map-light.png'));
  await page.getByRole('tab', { name: 'Graph' }).click();
  expect(streams.length).toBeLessThanOrEqual(2);

  const port = new URL(api.url ?? '').port;
  await api.kill();
  await page.getByText('Reconnecting…').first().waitFor();
  await takePicture(page, join(screenshots, 'reconnecting-light.png'));
  api = await stack.start(['api'], { VIGIL_PORT: port });
  await page.getByText('Live', { exact: true }).waitFor();
  await stack.control('/speed', { speed: 40 });

  await expect
    .poll(() => page.locator('.vigil-step[data-state=SUCCEEDED]').count(), { timeout: 120_000, interval: 500 })
    .toBe(count);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.locator('.vigil-bar-succeeded').first().waitFor();
  // The cloud has changed: what was foreseen is shown as it was, and not once more on top of what came of it.
  await page.getByRole('tab', { name: 'Hosts' }).click();
  expectPossibleHosts(await page.getByRole('grid', { name: 'Hosts', exact: true }).innerText());
  const ended = await hostsOfPlan(page);
  expect(ended.map(({ hostname, before, after }) => ({ hostname, before, after }))).toEqual(
    foreseen.map(({ hostname, before, after }) => ({ hostname, before, after })),
  );
  for (const { after, so_far } of ended) expect(so_far).toEqual(after);
  await page.getByRole('tab', { name: 'Timeline' }).click();
});

test('rolls an ended plan back after showing what that means', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('grid', { name: 'What would be undone' }).waitFor();
  expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
  await takePicture(page, join(screenshots, 'rollback-light.png'));
  const before = page.url();
  await dialog.getByRole('button', { name: 'Roll back the plan' }).click();
  await page.waitForURL((url) => url.pathname !== new URL(before).pathname);
  await page.getByText('This plan undoes another').waitFor();
  await page.getByRole('tab', { name: 'Graph' }).click();
  // It can be undone itself when it has ended.
  await page.getByRole('button', { name: 'Roll back' }).waitFor({ timeout: 120_000 });
  expect(await page.locator('.vigil-step[data-state=SUCCEEDED]').count()).toBeGreaterThan(1);
  await takePicture(page, join(screenshots, 'rollback-plan-light.png'));
});

test('skips several actions in one go, and cancels the plan', async () => {
  const { page } = window;
  await fillWizard(page, 'e2e cancelled');
  await page.getByRole('button', { name: 'Create audit' }).click();
  await page.getByRole('heading', { name: 'e2e cancelled' }).waitFor();
  const { uuid } = await stack.client.waitForAudit('e2e cancelled', { pollMs: 200, timeoutMs: 120_000 });
  const [plan] = await stack.client.list('action_plans', { filters: { audit_uuid: uuid } });
  await (await createdPlan(page)).click();
  expect(plan?.state).toBe('RECOMMENDED');
  if (!plan) return;
  await page.getByRole('tab', { name: 'Actions' }).click();
  const boxes = page.getByRole('checkbox', { name: /^Choose Migrate/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Skip 2 chosen' }).click();
  await page.getByLabel('Reason').fill('not these');
  await page.getByRole('dialog').getByRole('button', { name: 'Skip 2 chosen' }).click();
  await expect
    .poll(() => page.getByRole('grid', { name: 'Actions' }).getByText('SKIPPED', { exact: true }).count())
    .toBe(2);
  await takePicture(page, join(screenshots, 'skipped-light.png'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page
    .locator('.pf-v6-c-label', { hasText: /^CANCELLED$/ })
    .first()
    .waitFor();
  expect(
    (await dataOf(stack.client.api.GET('/v1/action_plans/{ident}', { params: { path: { ident: plan.uuid } } }))).state,
  ).toBe('CANCELLED');
});

test('dead letters: a failed task can be run again, a parked message discarded, and both lists move by themselves', async () => {
  const { page } = window;
  await page.goto(`${api.url}/dashboard/dead-letters`);
  await page.getByText('No task has failed').waitFor();
  await failTask(page);
  const tasks = page.getByRole('grid', { name: 'Tasks' });
  await tasks.getByText('There is no goal').waitFor();
  await tasks.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  // It fails for the same reason: it leaves the list and comes back, which only the number of its tries shows.
  await page.getByText('The task will run again').waitFor();
  await tasks.getByText('There is no goal').waitFor();

  await page.getByRole('tab', { name: 'Parked messages' }).click();
  const messages = page.getByRole('grid', { name: 'Parked messages' });
  await expect.poll(() => messages.getByText('nobody could carry it out').count()).toBe(2);
  await messages.getByRole('button', { name: 'Discard' }).first().click();
  await page.getByRole('dialog').getByText('plan.launch/1').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await takePicture(page, join(screenshots, 'discard-light.png'));
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => messages.getByText('nobody could carry it out').count()).toBe(1);
});

test('a filter, a tab and an opened strategy are in the URL and survive a reload', async () => {
  const { page } = window;
  await page.goto(`${api.url}/dashboard/plans`);
  const plans = page.getByRole('grid', { name: 'Action plans' });
  await plans.waitFor();
  await expect.poll(() => plans.locator('tbody tr').count()).toBeGreaterThan(1);
  await page.getByLabel('State').selectOption('CANCELLED');
  await expect.poll(() => plans.locator('tbody tr').count()).toBe(1);
  await page.reload();
  await expect.poll(() => plans.locator('tbody tr').count()).toBe(1);
  await page.goto(`${api.url}/dashboard/goals`);
  await page.getByRole('button', { name: 'Workload stabilization' }).click();
  await page.getByRole('grid', { name: 'Parameters of Workload stabilization' }).waitFor();
  await page.reload();
  await page.getByRole('grid', { name: 'Parameters of Workload stabilization' }).waitFor();
  await page.getByText('Evens out', { exact: false }).first().waitFor();
});

const pages = [
  'overview',
  'cluster',
  'rules',
  'goals?strategy=workload_stabilization',
  'templates',
  'audits',
  'audits/new',
  'plans',
  'trends',
  'services',
  'services?tab=graph',
  'tasks',
  'tasks?tab=schedules',
  'services?tab=events',
  'dead-letters',
  'dead-letters?tab=messages',
  'audit-log',
  'audit-log?method=DELETE',
] as const;

test.each([1280, 390])(
  'every page in both themes at %i px: nothing serious for axe, nothing broken',
  async (width) => {
    // One clock goes before, the other after: everything counts from the server's time.
    const skewMinutes = width === 390 ? -10 : 10;
    const viewer = await openPage(browser, { width, height: width === 390 ? 844 : 900, skewMinutes });
    const { page } = viewer;
    await signIn(page, api.url ?? '');
    const [plan] = await stack.client.list('action_plans');
    const [audit] = await stack.client.list('audits');
    const [action] = await stack.client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
    const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
    const host = (await stack.control<{ hosts: { name: string }[] }>('/state')).hosts[0]?.name;
    const deep = [
      `plans/${plan?.uuid}`,
      `plans/${plan?.uuid}?tab=graph`,
      `plans/${plan?.uuid}?tab=actions`,
      `plans/${plan?.uuid}?action=${action?.uuid}`,
      `plans/${plan?.uuid}?tab=map&scale=relative&group=zone`,
      `plans/${plan?.uuid}?tab=hosts`,
      `plans/${plan?.uuid}?tab=timeline`,
      `plans/${plan?.uuid}?tab=outcome`,
      `audits/${audit?.uuid}`,
      `cluster/instances/${moved}`,
      `cluster/hosts/${host}`,
    ];
    const found: string[] = [];
    for (const path of [...pages, ...deep]) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${api.url}/dashboard/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.pf-v6-c-spinner').first().waitFor({ state: 'detached' });
      found.push(...(await oddTexts(page)).map((text) => `${path}: ${text}`));
      const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/[/?=&]/g, '-');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(theme === 'dark' ? 'html.pf-v6-theme-dark' : 'html:not(.pf-v6-theme-dark)').waitFor();
        // Colours that still change are none that anybody reads.
        await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
        await takeWhole(page, join(screenshots, `${name}-${theme}-${width}.png`));
        // The themes differ in their colours alone.
        const problems = await seriousProblems(page, theme === 'dark' ? 'colours' : 'all');
        found.push(...problems.map((problem) => `${path}, ${theme}: ${problem}`));
      }
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (Number(overflow) > 1) found.push(`${path}: ${overflow} px wider than the window`);
    }
    if (width === 390) {
      await page.getByRole('navigation', { name: 'Pages of instances, below' }).getByLabel('Go to next page').click();
      await page.getByText('21 - ').first().waitFor();
    }
    expect([...found, ...viewer.problems]).toEqual([]);
    await viewer.context.close();
  },
  360_000,
);

test('below a path of a proxy: deep links, sign-in, and the stream', async () => {
  const behind = await stack.start(['api'], { VIGIL_ENABLE_PROXY_HEADERS: 'true' });
  const proxy = await startPrefixProxy('/cloud/vigil', behind.url ?? '');
  const { page, context, problems } = await openPage(browser, { width: 1280, height: 900 });
  await signIn(page, proxy.url);
  await page.goto(`${proxy.url}/dashboard/audits/new`);
  await page.getByRole('heading', { level: 1, name: 'Create audit' }).waitFor();
  await page.getByRole('link', { name: 'Cluster' }).click();
  await page.waitForURL(`${proxy.url}/dashboard/cluster`);
  await page.locator('.vigil-heat li').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect((await context.cookies()).map(({ path }) => path)).toEqual(['/cloud/vigil/']);
  expect(problems).toEqual([]);
  await context.close();
  await proxy.stop();
  await behind.stop();
});

test('by an application credential, and at Keystone’s federation: in one of several projects, and on in another', async () => {
  const { page, context, problems } = await openPage(browser, { width: 1280, height: 900 });
  await page.goto(`${api.url}/dashboard/`);
  await page.getByRole('button', { name: 'Application credential' }).click();
  await page.getByLabel('Application credential ID').fill(credentialId);
  await page.getByLabel('Secret').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Keystone refuses the application credential').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByLabel('Secret').fill('vigil');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('vigil', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();

  // Back where one was, by way of the identity provider and Keystone's page.
  await page.goto(`${api.url}/dashboard/audits?state=FAILED`);
  await page.getByRole('button', { name: 'Company account' }).click();
  await page.getByRole('link', { name: 'ann' }).click();
  await page.getByRole('heading', { name: 'Choose a project' }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(page.url()).toBe(`${api.url}/dashboard/audits?state=FAILED`);
  await page.getByRole('button', { name: 'Project admin: choose another' }).first().click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  await page.getByRole('heading', { name: 'You have no permission here' }).waitFor();
  await page.getByRole('button', { name: 'Project demo: choose another' }).first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a reader sees every page without a refusal in the console, and is warned before an idle session ends', async () => {
  const policy = join(mkdtempSync(join(tmpdir(), 'vigil-policy-')), 'policy.json');
  const resources = [
    'goal',
    'strategy',
    'audit_template',
    'audit',
    'action_plan',
    'action',
    'scoring_engine',
    'service',
  ];
  const rules = [
    ...resources.flatMap((resource) => ['get', 'get_all', 'detail'].map((verb) => `${resource}:${verb}`)),
    ...['strategy:state', 'data_model:get_all'],
  ];
  // But for the operation of Vigil itself: what shows it is asked for by no page.
  writeFileSync(policy, JSON.stringify(Object.fromEntries(rules.map((rule) => [rule, 'role:reader']))));
  const forReaders = await stack.start(['api'], { VIGIL_POLICY_FILE: policy, VIGIL_SESSION_IDLE_SECONDS: '40' });
  const { page, context, problems } = await openPage(browser, { width: 1280, height: 900 });
  const refused: string[] = [];
  page.on('response', (response) => response.status() >= 400 && refused.push(`${response.status()} ${response.url()}`));
  await page.goto(`${forReaders.url}/dashboard/`);
  await page.getByLabel('User name').fill('reader');
  await page.getByLabel('Password').fill('vigil');
  await page.locator('#sign-in-project').fill('demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  const [plan] = await stack.client.list('action_plans');
  const [audit] = await stack.client.list('audits');
  const tabs = plan ? ['run', 'graph', 'actions', 'map', 'hosts', 'timeline', 'outcome'] : [];
  const ofPlan = tabs.map((tab) => `plans/${plan?.uuid}?tab=${tab}`);
  for (const path of [...pages, ...ofPlan, ...(audit ? [`audits/${audit.uuid}`] : [])]) {
    await page.goto(`${forReaders.url}/dashboard/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.pf-v6-c-spinner').first().waitFor({ state: 'detached' });
  }
  expect(refused).toEqual([]);
  const dialog = page.getByRole('dialog', { name: 'Are you still there?' });
  await dialog.waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stay signed in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
  await forReaders.stop();
});

test('in German: chosen, kept, and no text of the frame left in English', async () => {
  const { page, context } = await openPage(browser, { width: 1280, height: 900 });
  await signIn(page, api.url ?? '');
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Aktionspläne' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Abmelden' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  await context.close();
});

test('a user without permission is told so, and signing out ends the session', async () => {
  const { page, context } = await openPage(browser, { width: 1280, height: 900 });
  await signIn(page, api.url ?? '', 'member');
  await page.getByRole('heading', { name: 'You have no permission here' }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await takePicture(page, join(screenshots, 'no-permission-light-1280.png'));
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  expect((await fetch(`${api.url}/v1/goals`, { headers: { cookie } })).status).toBe(403);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
  await takePicture(page, join(screenshots, 'sign-in-light-1280.png'));
  expect((await fetch(`${api.url}/v1/goals`, { headers: { cookie } })).status).toBe(401);
  await context.close();
});

test('nothing went wrong in the page', () => {
  expect(window.problems).toEqual([]);
});
