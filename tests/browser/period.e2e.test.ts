import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const here = useDashboard({ services: ['decision-engine'] });
beforeAll(() => strategyNames(here.stack.client));

const grid = (page: Awaited<ReturnType<typeof here.open>>, name: string) => page.getByRole('grid', { name });

test('the report of a month has the numbers of the API, and its link keeps the period', async () => {
  await here.rows.plan({
    actions: 1,
    plan: { state: 'SUCCEEDED', launchSeq: 1 },
    action: () => ({ actionType: 'migrate', state: 'SUCCEEDED', startedAt: new Date(), endedAt: new Date() }),
  });
  await here.rows.plan({ plan: { state: 'ONGOING', paused: true, launchSeq: 1 } });
  const { plan } = await here.rows.plan({ plan: { state: 'SUPERSEDED', statusMessage: 'Nobody started it in time.' } });
  const page = await here.open('trends');
  await page.getByRole('link', { name: text('period.link') }).click();
  await page.waitForURL(/\/trends\/report$/);
  const unstarted = grid(page, text('period.unstarted')).getByRole('row').filter({ hasText: 'Nobody started it' });
  await unstarted.getByRole('link', { name: plan.uuid.slice(0, 8) }).waitFor();
  const made = await page.getByText(/\/trends\/report\?from=/).textContent();
  const link = new URL(made?.match(/https?:\S+/)?.[0] ?? '');
  const query = { from: link.searchParams.get('from') ?? '', to: link.searchParams.get('to') ?? '' };
  const report = await dataOf(here.stack.client.api.GET('/v1/report', { params: { query } }));
  await page.goto(link.href);
  const shown = async (state: string) => {
    const row = grid(page, text('period.states')).getByRole('row').filter({ hasText: state });
    return row.getByRole('gridcell').nth(1).textContent();
  };
  for (const { state, plans, paused } of report.plans.by_state)
    if (plans > paused) expect(await shown(state)).toBe(String(plans - paused));
  expect(report.plans.by_state).toContainEqual({ state: 'ONGOING', plans: 1, paused: 1, removed: 0 });
  expect(await shown('PAUSED')).toBe('1');
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  await page.reload();
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
});

test('months and days are chosen by keyboard', async () => {
  const page = await here.open('trends/report');
  await page.getByRole('button', { name: text('period.monthBefore') }).press('Enter');
  await page.waitForURL(/from=/);
  await page.getByText(text('period.noPlans')).waitFor();
  await page.getByLabel(text('period.first')).fill('2026-01-05');
  await page.getByLabel(text('period.last')).fill('2026-01-04');
  await expect.poll(() => page.getByRole('button', { name: text('period.show') }).isDisabled()).toBe(true);
  await page.getByLabel(text('period.last')).fill('2026-01-06');
  await page.getByLabel(text('period.last')).press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('from')?.slice(0, 7)).toMatch(/^2026-01|^2025/);
});

test('paper shows the report without buttons and fields', async () => {
  const page = await here.open('trends/report');
  await grid(page, text('period.states')).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByLabel(text('period.first')).isVisible()).toBe(false);
  await expect.poll(() => page.getByRole('button', { name: text('planReport.print') }).count()).toBe(0);
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
});
