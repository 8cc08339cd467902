import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { text } from './texts.ts';
import { stillWorld, useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const backfillMinutes = 240;
const here = useDashboard({
  services: ['decision-engine'],
  simulator: [...stillWorld, '--sample-seconds', '60', '--backfill-minutes', String(backfillMinutes)],
});
beforeAll(() => strategyNames(here.stack.client));

const momentOf = (url: string) => new URL(url).searchParams.get('at') ?? '';

/** Presses a key on the time line, and waits for its moment in the URL. */
async function press(page: Page, key: string): Promise<void> {
  const before = momentOf(page.url());
  await page.getByRole('slider', { name: text('past.slider') }).press(key);
  await expect.poll(() => momentOf(page.url())).not.toBe(before);
}

test('a moment is chosen by keyboard, shown beside now, and kept in the URL', async () => {
  const page = await here.open('cluster');
  await page.getByRole('link', { name: text('past.title') }).click();
  await press(page, 'End');
  await press(page, 'ArrowLeft');
  const at = momentOf(page.url());
  const { instances } = await dataOf(here.stack.client.api.GET('/v1/cluster/past', { params: { query: { at } } }));
  expect(instances.moved).toBe(0);
  await page
    .getByTestId('past-changes')
    .getByText(text('past.unchanged', { points: 5 }))
    .waitFor();
  await page
    .getByRole('group', { name: text('past.compare') })
    .getByRole('button', { name: text('past.now'), exact: true })
    .click();
  await expect.poll(() => page.getByTestId('map-host').count()).toBe(8);
  const shown = await page.getByTestId('past-moment').textContent();
  await page.reload();
  await expect.poll(() => page.getByTestId('past-moment').textContent()).toBe(shown);
  expect(momentOf(page.url())).toBe(at);
});

test('the time line starts at the first measured load', async () => {
  const page = await here.open('cluster/past');
  await press(page, 'End');
  await press(page, 'Home');
  const at = momentOf(page.url());
  const { hosts } = await dataOf(here.stack.client.api.GET('/v1/cluster/past', { params: { query: { at } } }));
  expect(hosts.filter(({ before }) => before.cpu_load !== null)).not.toEqual([]);
  const ageMinutes = (Date.now() - Date.parse(at)) / 60_000;
  expect(ageMinutes).toBeGreaterThan(backfillMinutes - 15);
  expect(ageMinutes).toBeLessThan(backfillMinutes + 15);
});

test('a plan is a mark on the time line, and leads to itself and to its end', async () => {
  const endedAt = new Date(Date.now() - 26 * 3_600_000);
  const { plan } = await here.rows.plan({
    plan: { state: 'SUCCEEDED' },
    action: () => ({ state: 'SUCCEEDED', startedAt: endedAt, endedAt }),
  });
  const short = plan.uuid.slice(0, 8);
  const page = await here.open('cluster/past');
  await expect.poll(() => page.getByTestId('past-mark').count()).toBe(1);
  await page.getByRole('button', { name: text('past.atEnd', { plan: short }), exact: true }).click();
  await expect.poll(() => Date.parse(momentOf(page.url()))).toBe(endedAt.getTime());
  await page.getByRole('link', { name: short }).click();
  await page.waitForURL(new RegExp(`/plans/${plan.uuid}`));
});

test('every plan is a mark with its result as shape and text', async () => {
  const endedAt = new Date(Date.now() - 50 * 3_600_000);
  for (const state of ['FAILED', 'CANCELLED'] as const)
    await here.rows.plan({ plan: { state }, action: () => ({ state, startedAt: endedAt, endedAt }) });
  const page = await here.open('cluster/past');
  const styleOf = (state: string) => `getComputedStyle(document.querySelector('li > [data-state=${state}]'))`;
  const shapeOf = async (state: string) => {
    await page.getByRole('img', { name: new RegExp(`: ${state},`) }).waitFor();
    return page.evaluate<string>(`${styleOf(state)}.transform + ${styleOf(state)}.borderColor`);
  };
  const [failed, cancelled] = [await shapeOf('FAILED'), await shapeOf('CANCELLED')];
  expect(failed).not.toBe(cancelled);
  const counts = ['past.count.FAILED', 'past.count.CANCELLED'] as const;
  for (const key of counts)
    await page
      .getByTestId('past-legend')
      .getByText(text(key, { count: 1 }))
      .waitFor();
});

test('any two moments are compared, and one link keeps both', async () => {
  const page = await here.open('cluster/past');
  await page.getByRole('button', { name: text('past.compareTimes') }).click();
  const later = page.getByRole('slider', { name: text('past.laterSlider') });
  const first = await page.getByTestId('past-later').textContent();
  await later.press('ArrowLeft');
  await expect.poll(() => page.getByTestId('past-later').textContent()).not.toBe(first);
  const shown = await page.getByTestId('past-later').textContent();
  await page.getByText(text('past.movesBetween', { count: 0 })).waitFor();
  await page
    .getByRole('group', { name: text('past.compare') })
    .getByRole('button', { name: text('past.later'), exact: true })
    .click();
  await page.getByRole('heading', { name: shown ?? '' }).waitFor();
  const url = page.url();
  await page.goto('about:blank');
  await page.goto(url);
  await expect.poll(() => page.getByTestId('past-later').textContent()).toBe(shown);
  await page.getByRole('button', { name: text('past.compareNow') }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBeNull();
});

test('the moments before and after a plan are one step from it', async () => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const [startedAt, endedAt] = [at(75), at(74)];
  const { plan } = await here.rows.plan({
    plan: { state: 'SUCCEEDED' },
    action: () => ({ state: 'SUCCEEDED', startedAt, endedAt }),
  });
  const page = await here.open('cluster/past');
  const name = text('past.beforeAndAfterPlan', { plan: plan.uuid.slice(0, 8) });
  await page.getByRole('button', { name }).click();
  await expect.poll(() => Date.parse(momentOf(page.url()))).toBe(startedAt.getTime());
  expect(Date.parse(new URL(page.url()).searchParams.get('to') ?? '')).toBe(endedAt.getTime());
});

test('playing continues from moment to moment until it is paused', async () => {
  const page = await here.open('cluster/past?at=2000-01-01T00:00:00Z');
  await page.getByText(text('past.unreadable')).waitFor();
  await page.getByRole('slider', { name: text('past.slider') }).press('ArrowRight');
  await page.getByTestId('past-changes').waitFor();
  const first = momentOf(page.url());
  await page.getByRole('button', { name: text('past.play') }).click();
  await expect.poll(() => momentOf(page.url())).not.toBe(first);
  await page.getByRole('button', { name: text('past.pause') }).click();
  await page.getByRole('button', { name: text('past.play') }).waitFor();
});
