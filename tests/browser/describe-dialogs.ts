import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { desk, problemsAtBothWidths } from './both-widths.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { makeTemplateAndRule } from './list-examples.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** A page, and buttons of it that open a dialog each. */
type Openers = readonly [path: string, ...buttons: (string | RegExp)[]];

/** Goes through every dialog, and every step of the wizard, at both widths. Nothing is confirmed. */
export function describeDialogs(here: DashboardStack): void {
  describe('every dialog', () => {
    test('asks in words, and fits a phone', async () => {
      const { page, problems } = await openPage(here.window.context, { width: 1280, height: 900 });
      await page.goto(`${here.api.url}/dashboard/`);
      await page.getByText('Live', { exact: true }).waitFor();
      const found: string[] = [];
      for (const [path, ...buttons] of await openersOf(here)) {
        await visit(page, path);
        await waitForPage(page);
        // What is done with several rows is offered when some are chosen.
        if (buttons.some((name) => String(name).includes('chosen'))) await page.locator('td input').first().check();
        for (const name of buttons) {
          const button = page.getByRole('button', { name, exact: true }).first();
          found.push(...(await problemsOfDialog(page, button, `${path}, ${name}`)));
        }
      }
      expect([...found, ...problems]).toEqual([]);
      await page.close();
    }, 360_000);

    test('stays open above what has ended when the stream begins anew', async () => {
      const { page } = here.window;
      await visit(page, 'overview');
      const audit = await auditOf(here, { goal: 'dummy', strategy: 'dummy' });
      await visit(page, `audits/${audit}`);
      await page.getByText('SUCCEEDED', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete this audit?' });
      await dialog.waitFor();
      // The log of changes does not reach back so far: the full state comes again, and has only what is open.
      const watch = /\/v1\/watch\?/;
      await page.route(watch, async (route) => {
        const url = new URL(route.request().url());
        if (url.searchParams.has('since')) url.searchParams.set('since', '0:1');
        await route.continue({ url: url.href });
      });
      const isRead = page.waitForResponse((response) => response.url().endsWith(`/v1/audits/${audit}`));
      const port = new URL(here.api.url ?? '').port;
      await here.api.kill();
      here.api = await here.stack.start(['api'], { VIGIL_PORT: port });
      await isRead;
      await page.unroute(watch);
      expect(await dialog.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }, 360_000);
  });

  describe('every step of the wizard', () => {
    /** Steps that are the same whatever has been chosen before, once axe has seen them. */
    const seen = new Set<string>();
    test.each([
      { goal: 'Workload Balancing', strategy: 'Workload stabilization' },
      { goal: 'Placement Optimization', strategy: 'Placement Optimizer' },
      { goal: 'Workload Balancing', strategy: 'Vigil chooses' },
    ])(
      '$strategy: says what it wants, and fits a phone',
      async ({ goal, strategy }) => {
        const { page } = here.window;
        await visit(page, 'audits/new');
        await page.locator('#audit-goal').waitFor();
        const anew = page.getByRole('button', { name: 'Start anew' });
        if (await anew.isVisible()) await anew.click();
        await page.locator('#audit-goal').selectOption({ label: goal });
        await page.locator('#audit-strategy').selectOption({ label: strategy });
        const found: string[] = [];
        const look = async (step: string) => {
          const unseen = seen.has(step) ? 'nothing' : 'page';
          found.push(...(await problemsAtBothWidths(page, `${strategy}, ${step}`, unseen)));
        };
        const lookOnce = async (step: string) => {
          await look(step);
          seen.add(step);
        };
        const next = page.getByRole('button', { name: 'Next', exact: true });
        await look('goal');
        await next.click();
        // What few ever change is folded.
        const further = page.getByRole('button', { name: /further parameter/ });
        if (await further.isVisible()) await further.click();
        await look('parameters');
        const seconds = page.locator('#parameter-time_limit');
        if (await seconds.isVisible()) await seconds.fill('1');
        await next.click();
        await lookOnce('scope');
        await next.click();
        for (const when of ['Once, now', 'Again and again', 'On an event']) {
          await page.getByLabel(when).check();
          await lookOnce(when);
        }
        await page.getByLabel('Once, now').check();
        await next.click();
        await page.getByRole('button', { name: 'Dry run', exact: true }).click();
        await page.getByText(/would propose \d+ action/).waitFor();
        const folds = page
          .getByRole('region', { name: 'Result of the dry run' })
          .getByRole('button', { expanded: false });
        while ((await folds.count()) > 0) await folds.first().click();
        await look('dry run');
        await page.setViewportSize(desk);
        expect(found).toEqual([]);
      },
      360_000,
    );
  });
}

/** Opens a dialog, checks it, and closes it by keyboard. */
export async function problemsOfDialog(page: Page, button: Locator, where: string): Promise<string[]> {
  await button.click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor().catch(async (error: Error) => {
    const shown = await page.locator('body').innerText();
    throw new Error(`${where}: no dialog has come: ${error.message}\n${shown}`);
  });
  await dialog.locator('.pf-v6-c-spinner').first().waitFor({ state: 'detached' });
  const found = await problemsAtBothWidths(page, where, 'dialog');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return found;
}

/** Makes an audit of the optimizer that starts nothing. */
async function auditOf({ stack: { client } }: DashboardStack, more: object): Promise<string> {
  const optimizer = { goal: 'placement_optimization', strategy: 'placement_optimizer' };
  const body = { audit_type: 'ONESHOT', ...optimizer, auto_trigger: false, force: true, ...more };
  return (await dataOf(client.api.POST('/v1/audits', { body: body as never }))).uuid;
}

/** The dialogs that no other test opens, with something for each to be about. */
async function openersOf(here: DashboardStack): Promise<Openers[]> {
  const { client } = here.stack;
  await makeTemplateAndRule(here.stack);
  const waiting = await auditOf(here, {
    name: 'example',
    parameters: { preset: 'balance', time_limit: 1, min_gain: 0, effort: 'best' },
  });
  await client.waitForAudit(waiting, { pollMs: 200, timeoutMs: 120_000 });
  const again = await auditOf(here, { name: 'nightly', audit_type: 'CONTINUOUS', interval: '0 3 * * *' });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: waiting } });
  const ended = (await client.list('action_plans')).find(({ state }) => state === 'SUCCEEDED');
  const [action] = await client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
  const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
  const host = (await here.stack.control<{ hosts: { name: string }[] }>('/state')).hosts[0]?.name;
  return [
    ['overview', 'Find a host or an instance'],
    ['audits', /^Cancel \d+ chosen$/],
    [`audits/${waiting}`, 'Run again', 'Delete', 'Plan this one'],
    [`audits/${again}`, 'Cancel'],
    ['plans', /^Cancel \d+ chosen$/],
    [`plans/${plan?.uuid}`, 'Start', 'Cancel', 'Delete'],
    [`plans/${plan?.uuid}?action=${action?.uuid}`, 'Skip this action'],
    [`plans/${ended?.uuid}`, 'Roll back', 'Delete'],
    ['templates', 'Create template', 'Audit', 'Delete'],
    ['rules', 'Create rule', /^Edit /, 'Delete'],
    [`cluster/hosts/${host}`, 'Empty for maintenance', 'Balance away', 'Leave out'],
    [`cluster/instances/${moved}`, 'Keep it here'],
    ['services', 'Restart', 'Stop'],
    ['dead-letters', 'Run again'],
    ['dead-letters?tab=messages', 'Deliver again', 'Discard'],
  ];
}
