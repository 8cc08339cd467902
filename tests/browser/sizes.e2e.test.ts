import { beforeAll, expect, test } from 'vitest';
import { type ExamplePaths, everyPage, fillDashboard } from './example-cloud.ts';
import { pageFaults, tableFaults } from './page-faults.ts';
import { type ListSize, measureResponses } from './sized-responses.ts';
import { type PlainKey, text } from './texts.ts';
import { desk, phone, useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** Maximum rows that a table shows. */
const perPage = 20;
/** Pages with a table, by its name. */
const tables: Readonly<Record<string, PlainKey>> = {
  'cluster?view=table': 'column.hosts',
  rules: 'page.rules',
  templates: 'page.templates',
  audits: 'page.audits',
  plans: 'page.plans',
  services: 'page.services',
  'services?tab=events': 'services.events',
  tasks: 'page.tasks',
  'dead-letters?tab=messages': 'deadLetters.messages',
};

const here = useDashboard({ services: ['decision-engine', 'scheduler'] });
let paths: ExamplePaths;
beforeAll(async () => {
  paths = await fillDashboard(here);
});

// The page multiplies the rows of responses, or removes them.
test.each<ListSize>([0, 1, 1000])(
  'every list fits a desk and a phone with %i rows',
  async (size) => {
    const page = await here.open('overview', { prepare: (own) => own.addInitScript(measureResponses, size) });
    const found: string[] = [];
    for (const path of new Set([...Object.keys(tables), ...everyPage(paths)])) {
      await page.setViewportSize(desk);
      await visit(page, path);
      await waitForPage(page);
      const table = tables[path];
      if (table) {
        const rows = page
          .getByRole('grid', { name: text(table), exact: true })
          .locator('tbody')
          .getByRole('row');
        await expect.poll(() => rows.count(), { message: `rows of ${path}` }).toBe(Math.min(size, perPage));
      }
      const faults = [...(await pageFaults(page)), ...(await tableFaults(page))];
      await page.setViewportSize(phone);
      found.push(...[...faults, ...(await pageFaults(page))].map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
  },
  360_000,
);
