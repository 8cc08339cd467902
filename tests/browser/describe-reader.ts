import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { pages } from './every-page.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** Goes through all pages as somebody who may only read. */
export function describeReader(here: DashboardStack): void {
  describe('every page', () => {
    test('a reader sees every page without a refusal in the console, and is warned before an idle session ends', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'vigil-policy-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const policy = join(folder, 'policy.json');
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
      // But for the operation of Vigil itself: what shows it is requested by no page.
      writeFileSync(policy, JSON.stringify(Object.fromEntries(rules.map((rule) => [rule, 'role:reader']))));
      const forReaders = await here.stack.start(['api'], {
        VIGIL_POLICY_FILE: policy,
        VIGIL_SESSION_IDLE_SECONDS: '40',
      });
      const { page, context, problems } = await openPage(here.browser, { width: 1280, height: 900 });
      const refused: string[] = [];
      page.on(
        'response',
        (response) => response.status() >= 400 && refused.push(`${response.status()} ${response.url()}`),
      );
      await page.goto(`${forReaders.url}/dashboard/`);
      await page.getByLabel('User name').fill('reader');
      await page.getByLabel('Password').fill('vigil');
      await page.locator('#sign-in-project').fill('demo');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      const [plan] = await here.stack.client.list('action_plans');
      const [audit] = await here.stack.client.list('audits');
      const tabs = plan ? ['run', 'graph', 'actions', 'map', 'hosts', 'timeline', 'outcome'] : [];
      const ofPlan = tabs.map((tab) => `plans/${plan?.uuid}?tab=${tab}`);
      for (const path of [...pages, ...ofPlan, ...(audit ? [`audits/${audit.uuid}`] : [])]) {
        // Somebody is there: the session does not end meanwhile.
        await page.keyboard.press('Shift');
        await visit(page, path);
        await waitForPage(page);
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
  });
}
