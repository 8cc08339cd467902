import { describe, expect, test } from 'vitest';
import { problemsAtBothWidths, tableFaults } from './both-widths.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { type ListSize, sizeAnswers } from './sized-answers.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** Rows that a table shows at most at once. */
const perPage = 20;

/**
 * Pages that have lists. Those with `table` have one whose rows are counted, to know that the sizes are what they say.
 */
const lists: readonly { path: string; table?: string }[] = [
  { path: 'overview' },
  { path: 'cluster' },
  { path: 'cluster?view=table', table: 'Hosts' },
  { path: 'rules', table: 'Placement rules' },
  { path: 'goals' },
  { path: 'templates', table: 'Audit templates' },
  { path: 'audits', table: 'Audits' },
  { path: 'plans', table: 'Action plans' },
  { path: 'trends' },
  { path: 'services', table: 'Services' },
  { path: 'services?tab=events', table: 'Events' },
  { path: 'tasks', table: 'Tasks' },
  { path: 'tasks?tab=schedules' },
  { path: 'dead-letters' },
  { path: 'dead-letters?tab=messages', table: 'Parked messages' },
  { path: 'audit-log' },
];

/** Tabs of a plan that have a row for every action. Graph and map of many have tests of their own. */
const grown = ['run', 'actions', 'timeline'];
const still = ['graph', 'map', 'hosts', 'outcome'];

/**
 * Goes through everything that has rows, with none, one and a thousand of them. The API's own answers are cut and
 * multiplied in the page.
 */
export function describeSizes(here: DashboardStack): void {
  describe('every list', () => {
    test.each<ListSize>([0, 1, 1000])(
      'with %i rows, at both widths',
      async (size) => {
        const own = await pagesOfOne(here, size);
        const { page, problems } = await openPage(here.window.context, { width: 1280, height: 900 });
        await page.addInitScript(sizeAnswers, size);
        await page.goto(`${here.api.url}/dashboard/`);
        await page.getByText('Live', { exact: true }).waitFor();
        const found: string[] = [];
        const loaded = new Set<string>();
        for (const { path, table } of [...lists, ...own.map((path) => ({ path, table: undefined }))]) {
          const [address = ''] = path.split('?');
          // With one row each address is loaded as a link from outside. All else is reached from another page.
          if (size !== 1 || loaded.has(address)) await visit(page, path);
          else await page.goto(`${here.api.url}/dashboard/${path}`);
          loaded.add(address);
          await waitForPage(page);
          const rows = page.getByRole('grid', { name: table ?? 'none', exact: true }).locator('tbody tr');
          if (table)
            await expect.poll(() => rows.count(), { message: `rows of ${path}` }).toBe(Math.min(size, perPage));
          found.push(...(await problemsAtBothWidths(page, path, size === 0 ? 'page' : 'nothing', tableFaults)));
        }
        expect([...found, ...problems]).toEqual([]);
        await page.close();
      },
      360_000,
    );
  });
}

/** The pages of an audit, a plan and a host. With one row also those that have no rows to count. */
async function pagesOfOne({ stack }: DashboardStack, size: ListSize): Promise<string[]> {
  const { client } = stack;
  const [plan] = await client.list('action_plans');
  const [audit] = await client.list('audits');
  const { hosts } = await client.internal<{ hosts: { hostname: string }[] }>('GET', '/cluster/summary');
  const [action] = await client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
  const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
  const tabs = size > 1 ? grown : [...grown, ...still];
  return [
    ...tabs.map((tab) => `plans/${plan?.uuid}?tab=${tab}`),
    `audits/${audit?.uuid}`,
    `cluster/hosts/${hosts[0]?.hostname}`,
    ...(size === 1 ? ['audits/new', `cluster/instances/${moved}`] : []),
  ];
}
