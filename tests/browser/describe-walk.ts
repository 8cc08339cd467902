import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Rules, seriousProblems } from './accessibility.ts';
import { desk, phone, waitForPage } from './both-widths.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { oddTexts } from './odd-texts.ts';
import { screenshots, takeWhole } from './screenshot.ts';
import { visit } from './visit.ts';

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

/** The tabs and the parts of one plan, its audit, and where its instances are. */
async function pagesOfPlan({ stack }: DashboardStack): Promise<string[]> {
  const [plan] = await stack.client.list('action_plans');
  const [audit] = await stack.client.list('audits');
  const [action] = await stack.client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
  const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
  const host = (await stack.control<{ hosts: { name: string }[] }>('/state')).hosts[0]?.name;
  return [
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
}

/** The root of a page in either theme. */
const dark = 'html.pf-v6-theme-dark';
const light = 'html:not(.pf-v6-theme-dark)';

interface Walk {
  theme: 'light' | 'dark';
  /** Of the window in which the pages are reached. */
  size: typeof desk;
  skewMinutes: number;
}

/** Goes through all pages, once as an administrator in either theme, the dark one at two widths, and once as somebody who may only read. */
export function describeWalk(here: DashboardStack): void {
  describe('every page', () => {
    // One clock goes before, the other after: everything counts from the server's time.
    test.each<Walk>([
      { theme: 'light', size: desk, skewMinutes: 10 },
      { theme: 'dark', size: phone, skewMinutes: -10 },
    ])(
      'every page, $theme, from $size.width px: nothing serious for axe, nothing broken',
      async ({ theme, size, skewMinutes }) => {
        const isNarrow = size === phone;
        const viewer = await openPage(here.window.context, { ...size, dark: theme === 'dark', skewMinutes });
        const { page } = viewer;
        await page.goto(`${here.api.url}/dashboard/`);
        await page.getByText('Live', { exact: true }).waitFor();
        await page.locator(theme === 'dark' ? dark : light).waitFor();
        const found: string[] = [];
        for (const path of [...pages, ...(await pagesOfPlan(here))]) {
          await visit(page, path);
          await waitForPage(page);
          found.push(...(await oddTexts(page)).map((text) => `${path}: ${text}`));
          const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/[/?=&]/g, '-');
          const look = async (about: Rules) => {
            const width = page.viewportSize()?.width;
            await takeWhole(page, join(screenshots, `${name}-${theme}-${width}.png`));
            const problems = await seriousProblems(page, about);
            found.push(...problems.map((problem) => `${path}, ${theme}, ${width} px: ${problem}`));
          };
          // What a narrow page leaves out or stacks has the colours that the wide one has, where they are looked at below.
          await look(isNarrow ? 'structure' : 'all');
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          if (Number(overflow) > 1) found.push(`${path}: ${overflow} px wider than the window`);
          if (!isNarrow) continue;
          // The themes differ in their colours alone. A change of the width costs little; a change of the theme is drawn for a quarter of a second.
          await page.setViewportSize(desk);
          await look('colours');
          await page.setViewportSize(phone);
        }
        // What is looked for is found from everywhere, on a phone too.
        await page.getByRole('button', { name: 'Find a host or an instance' }).waitFor();
        if (isNarrow) {
          await page
            .getByRole('navigation', { name: 'Pages of instances, below' })
            .getByLabel('Go to next page')
            .click();
          await page.getByText('21 - ').first().waitFor();
        }
        expect([...found, ...viewer.problems]).toEqual([]);
        // An open page follows the computer's theme.
        await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
        await page.locator(theme === 'dark' ? light : dark).waitFor();
        await page.close();
      },
      360_000,
    );

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
      // But for the operation of Vigil itself: what shows it is asked for by no page.
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
