import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { pageFaults } from './page-faults.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const here = useDashboard({ services: ['decision-engine'] });

let names: Awaited<ReturnType<typeof strategyNames>>;
beforeAll(async () => {
  names = await strategyNames(here.stack.client);
});

const next = (page: Page) => page.getByRole('button', { name: text('wizard.next'), exact: true });

/** Opens the wizard at a step, with a strategy and its parameters from the URL. */
const openAt = (step: string, strategy = 'workload_stabilization') =>
  here.open(`audits/new?strategy=${strategy}&step=${step}`);

test('the wizard offers the strategies of the chosen goal', async () => {
  const page = await here.open('audits/new');
  const goal = page.getByRole('combobox', { name: text('column.goal') });
  const strategy = page.getByRole('combobox', { name: text('column.strategy') });
  expect(await next(page).isDisabled()).toBe(true);
  await goal.selectOption({ label: names.goal('workload_balancing') });
  await strategy.selectOption({ label: names.strategy('workload_stabilization') });
  expect(await next(page).isEnabled()).toBe(true);
});

test('a parameter out of its range stops the wizard until it is corrected', async () => {
  const page = await openAt('parameters');
  const threshold = page.locator('#parameter-thresholds-instance_cpu_usage');
  await threshold.fill('3');
  await page.getByText(like('wizard.problems')).waitFor();
  expect(await next(page).isDisabled()).toBe(true);
  await threshold.fill('0.02');
  await expect.poll(() => next(page).isEnabled()).toBe(true);
});

test('a draft is kept for the next visit and can be dropped', async () => {
  const page = await here.open('audits/new');
  const name = page.getByRole('textbox', { name: text('column.name') });
  await name.fill('half done');
  await page.reload();
  await page.getByText(text('wizard.draft')).waitFor();
  expect(await name.inputValue()).toBe('half done');
  await page.getByRole('button', { name: text('wizard.startOver') }).click();
  await expect.poll(() => name.inputValue()).toBe('');
});

/** Runs the dry run of the open wizard and returns the region of its result. */
async function dryRun(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: text('wizard.dryRun'), exact: true }).click();
  const result = page.getByRole('region', { name: text('wizard.result') });
  await result
    .getByRole('heading')
    .filter({ hasText: like('wizard.proposes') })
    .waitFor();
  await result.getByRole('button', { name: text('wizard.hosts') }).click();
  return result;
}

/** Compares the strategies in the open wizard and returns the table. */
async function compare(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: like('wizard.compare') }).click();
  const compared = page.getByRole('grid').filter({ hasText: names.strategy('workload_stabilization') });
  await compared.waitFor();
  return compared;
}

test('a dry run shows the proposed actions and the hosts before and after, and stores nothing', async () => {
  const page = await openAt('dry-run', 'allocation_balance');
  const result = await dryRun(page);
  expect(await result.getByRole('grid', { name: text('column.hosts') }).innerText()).toMatch(/\+\d+/);
  expect(await here.stack.client.list('audits')).toEqual([]);
});

test('the strategies of a goal are compared, and another one is taken', async () => {
  const page = await openAt('dry-run', 'allocation_balance');
  const compared = await compare(page);
  expect(await compared.getByRole('row').count()).toBeGreaterThan(2);
});

test('the result of a dry run is accessible', async () => {
  const page = await openAt('dry-run', 'allocation_balance');
  await dryRun(page);
  expect([...(await seriousProblems(page)), ...(await pageFaults(page))]).toEqual([]);
});

test('the comparison of strategies is accessible', async () => {
  const page = await openAt('dry-run', 'allocation_balance');
  await compare(page);
  expect([...(await seriousProblems(page)), ...(await pageFaults(page))]).toEqual([]);
});

test('a continuous audit needs a valid schedule, shows its next runs and is created with it', async () => {
  const page = await openAt('schedule');
  await page.getByRole('radio', { name: text('schedule.recurring') }).check();
  const schedule = page.getByRole('textbox', { name: text('field.schedule') });
  await schedule.fill('every night');
  await expect.poll(() => next(page).isDisabled()).toBe(true);
  await schedule.fill('0 3 * * *');
  const runs = page.getByRole('region', { name: text('schedule.next') }).getByRole('listitem');
  await expect.poll(() => runs.count()).toBe(5);
  const [first = ''] = await runs.allTextContents();
  await next(page).click();
  await page.getByRole('button', { name: text('audits.create') }).click();
  await page.getByText(first).waitFor();
  const audit = await here.stack.client.get('audits', new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(audit).toMatchObject({ audit_type: 'CONTINUOUS', interval: '0 3 * * *' });
  expect(audit.next_run_time).toMatch(/T03:00:00/);
});

test('an audit is created with the automation level of the wizard, and its page shows the level', async () => {
  const page = await openAt('schedule', 'allocation_balance');
  const level = page.getByRole('combobox', { name: text('field.automation') });
  expect(await level.getByRole('option').allTextContents()).toEqual(
    ([0, 1, 2, 3] as const).map((each) => text(`automation.${each}`)),
  );
  expect(await level.inputValue()).toBe('1');
  await level.selectOption({ label: text('automation.0') });
  expect([...(await seriousProblems(page)), ...(await pageFaults(page))]).toEqual([]);
  await next(page).click();
  await page.getByRole('button', { name: text('audits.create') }).click();
  await page.getByText(text('automation.0')).waitFor();
  const ident = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { data } = await here.stack.client.api.GET('/v1/audits/{ident}/automation', { params: { path: { ident } } });
  expect(data).toMatchObject({ level: 0 });
});

test('a template is created with a scope, and an audit from it has that scope', async () => {
  const page = await here.open('templates');
  await page.getByRole('button', { name: text('templates.create') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text('column.name') }).fill('second zone');
  await dialog
    .getByRole('combobox', { name: text('column.goal') })
    .selectOption({ label: names.goal('workload_balancing') });
  await dialog
    .getByRole('combobox', { name: text('column.strategy') })
    .selectOption({ label: names.strategy('workload_stabilization') });
  await dialog
    .getByRole('group', { name: text('scope.zones') })
    .getByRole('checkbox', { name: 'zone-2' })
    .check();
  await dialog.getByRole('button', { name: text('templates.create') }).click();
  const row = page.getByRole('row').filter({ hasText: 'second zone' });
  await row.getByRole('button', { name: text('templates.audit') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('templates.audit') })
    .click();
  await page.getByText(text('templates.audited')).waitFor();
  const scope = [{ compute: [{ availability_zones: [{ name: 'zone-2' }] }] }];
  expect(await here.stack.client.list('audits')).toContainEqual(
    expect.objectContaining({ audit_type: 'ONESHOT', scope }),
  );
});
