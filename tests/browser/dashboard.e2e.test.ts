import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { seriousProblems } from './accessibility.ts';
import { useDashboardStack } from './dashboard-stack.ts';
import { describeDialogs } from './describe-dialogs.ts';
import { describeGerman } from './describe-german.ts';
import { describeSignIn } from './describe-sign-in.ts';
import { describeWalk } from './describe-walk.ts';
import { failTask } from './given-up-work.ts';
import { oddTexts } from './odd-texts.ts';
import { screenshots, takePicture, takeWhole } from './screenshot.ts';
import { visit } from './visit.ts';

const here = useDashboardStack();

describeSignIn(here);

const createdPlan = async (page: Page) => {
  const link = page.locator('.vigil-rows a[href*="/plans/"]').first();
  await link.waitFor();
  return link;
};

/** Hosts of the plan that the page shows, as the API tells of them. */
async function hostsOfPlan(page: Page) {
  const ident = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const preview = here.stack.client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident } } });
  return (await dataOf(preview)).hosts;
}

/** Numbers of instances and of GiB that there can be. */
function expectPossibleHosts(text: string): void {
  expect(text).toMatch(/\+\d+/);
  expect(text).not.toMatch(/undefined|NaN|null|→\s*[-−]\d/);
}

/** Goes through the wizard to its last step. */
async function fillWizard(page: Page, name: string): Promise<void> {
  await visit(page, 'audits/new');
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

test('from the wizard and its dry run to a plan whose actions move live to their end, across a restart of the API', async () => {
  const { page, streams } = here.window;
  await fillWizard(page, 'e2e');
  await page.getByRole('button', { name: 'Dry run', exact: true }).click();
  await page.getByText(/would propose \d+ actions/).waitFor();
  await page.getByText(/^Deviation of .* \d.* → \d/).waitFor();
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
  // Nothing arrives before the restart has been checked.
  await here.stack.control('/speed', { speed: 0 });
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

  const port = new URL(here.api.url ?? '').port;
  await here.api.kill();
  await page.getByText('Reconnecting…').first().waitFor();
  await takePicture(page, join(screenshots, 'reconnecting-light.png'));
  here.api = await here.stack.start(['api'], { VIGIL_PORT: port });
  await page.getByText('Live', { exact: true }).waitFor();
  await here.stack.control('/speed', { speed: 40 });

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
  const { page } = here.window;
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
  await expect.poll(() => page.locator('.vigil-step[data-state=SUCCEEDED]').count()).toBeGreaterThan(1);
  await takePicture(page, join(screenshots, 'rollback-plan-light.png'));
});

test('skips several actions in one go, and cancels the plan', async () => {
  const { page } = here.window;
  await fillWizard(page, 'e2e cancelled');
  await page.getByRole('button', { name: 'Create audit' }).click();
  await page.getByRole('heading', { name: 'e2e cancelled' }).waitFor();
  const { uuid } = await here.stack.client.waitForAudit('e2e cancelled', { pollMs: 200, timeoutMs: 120_000 });
  const [plan] = await here.stack.client.list('action_plans', { filters: { audit_uuid: uuid } });
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
    (await dataOf(here.stack.client.api.GET('/v1/action_plans/{ident}', { params: { path: { ident: plan.uuid } } })))
      .state,
  ).toBe('CANCELLED');
});

test('dead letters: a failed task can be run again, a parked message discarded, and both lists move by themselves', async () => {
  const { page } = here.window;
  await visit(page, 'dead-letters');
  await page.getByText('No task has failed').waitFor();
  await failTask(page);
  const tasks = page.getByRole('grid', { name: 'Tasks' });
  await tasks.getByText('There is no goal').waitFor();
  await tasks.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  // It fails for the same reason: it leaves the list and returns, which only the number of its tries shows.
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
  const { page } = here.window;
  await visit(page, 'plans');
  const plans = page.getByRole('grid', { name: 'Action plans' });
  await plans.waitFor();
  await expect.poll(() => plans.locator('tbody tr').count()).toBeGreaterThan(1);
  await page.getByLabel('State').selectOption('CANCELLED');
  await expect.poll(() => plans.locator('tbody tr').count()).toBe(1);
  await page.reload();
  await expect.poll(() => plans.locator('tbody tr').count()).toBe(1);
  await visit(page, 'goals');
  await page.getByRole('button', { name: 'Workload stabilization' }).click();
  await page.getByRole('grid', { name: 'Parameters of Workload stabilization' }).waitFor();
  await page.reload();
  await page.getByRole('grid', { name: 'Parameters of Workload stabilization' }).waitFor();
  await page.getByText('Evens out', { exact: false }).first().waitFor();
});

describeWalk(here);
describeDialogs(here);
describeGerman(here);

test('nothing went wrong in the page', () => {
  expect(here.window.problems).toEqual([]);
});
