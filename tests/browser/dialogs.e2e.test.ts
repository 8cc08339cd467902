import { beforeAll, expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { type ExamplePaths, fillDashboard } from './example-cloud.ts';
import { pageFaults } from './page-faults.ts';
import { like, text } from './texts.ts';
import { desk, phone, useDashboard } from './use-dashboard.ts';
import { waitUntilLoaded } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine'] });
let paths: ExamplePaths;
beforeAll(async () => {
  paths = await fillDashboard(here);
});

interface Opener {
  /** Buttons that open a dialog each. */
  buttons: readonly (string | RegExp)[];
  pathOf(paths: ExamplePaths): string;
  /** Selects the first row before: the buttons act on selected rows. */
  choosesRow?: boolean;
}

const deleting = text('do.delete');
const cancelling = text('do.cancel');
const chosen = like('bulk.label', { label: cancelling });
const openers: Record<string, Opener> = {
  'every page': { pathOf: () => 'overview', buttons: [text('find.button')] },
  'the list of audits': { pathOf: () => 'audits?state=ONGOING', buttons: [chosen], choosesRow: true },
  'the list of plans': { pathOf: () => 'plans?state=RECOMMENDED', buttons: [chosen], choosesRow: true },
  'an audit': { pathOf: ({ audit }) => audit, buttons: [text('audit.again'), deleting, text('curve.plan')] },
  'a continuous audit': { pathOf: ({ continuous }) => continuous, buttons: [cancelling] },
  'a recommended plan': { pathOf: ({ plan }) => plan, buttons: [text('plan.start'), cancelling, deleting] },
  'an ended plan': { pathOf: ({ ended }) => ended, buttons: [text('plan.rollBack'), deleting] },
  templates: {
    pathOf: () => 'templates',
    buttons: [text('templates.create'), text('templates.audit'), deleting],
  },
  rules: { pathOf: () => 'rules', buttons: [text('rules.create'), like('rules.editOne'), deleting] },
  'a host': {
    pathOf: ({ host }) => host,
    buttons: [text('host.empty'), text('host.balance'), text('host.exclude')],
  },
  'an instance': { pathOf: ({ instance }) => instance, buttons: [text('instance.keep')] },
  services: { pathOf: () => 'services', buttons: [text('services.restart'), text('services.stop')] },
  'failed tasks': { pathOf: () => 'dead-letters', buttons: [text('tasks.again')] },
  'messages that were given up': {
    pathOf: () => 'dead-letters?tab=messages',
    buttons: [text('deadLetters.deliver'), text('deadLetters.discard')],
  },
};

test.each(Object.entries(openers))(
  'the dialogs of %s are accessible, fit a phone and close by Escape',
  async (_name, opener) => {
    const page = await here.open(opener.pathOf(paths));
    if (opener.choosesRow)
      await page
        .getByRole('checkbox', { name: like('table.chooseOne') })
        .first()
        .check();
    const found: string[] = [];
    for (const name of opener.buttons) {
      await page.getByRole('button', { name, exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await waitUntilLoaded(page);
      const problems = await pageFaults(page);
      await page.setViewportSize(phone);
      problems.push(...(await pageFaults(page)), ...(await seriousProblems(page, 'all', '[role=dialog]')));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.setViewportSize(desk);
      // The next button moves until the navigation is next to the page again.
      await page.getByRole('navigation', { name: text('shell.pages'), exact: true }).waitFor();
      found.push(...problems.map((problem) => `${name}: ${problem}`));
    }
    expect(found).toEqual([]);
  },
);

test('a size whose plan waits has a link to that plan, and no button that creates it again', async () => {
  const page = await here.open(paths.audit);
  const row = page
    .getByRole('grid', { name: text('curve.label') })
    .getByRole('row')
    .filter({ hasText: text('curve.proposed') });
  const link = row.getByRole('link', { name: text('curve.openPlan') });
  expect(await link.getAttribute('href')).toContain(paths.plan);
  expect(await row.getByRole('button', { name: text('curve.plan') }).count()).toBe(0);
});

test('the dialog of one action skips that action', async () => {
  const { plan, actions } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}?action=${actions[0]?.uuid}`);
  await page.getByRole('button', { name: text('plan.skipThis') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('plan.skipThis') })
    .click();
  await expect.poll(async () => (await here.store.db.actions.get(actions[0]?.uuid ?? '')).state).toBe('SKIPPED');
});
