import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

const here = useDashboard({ services: ['decision-engine'] });
beforeAll(() => strategyNames(here.stack.client));

const momentOf = (url: string) => new URL(url).searchParams.get('at') ?? '';

test('a moment is chosen by keyboard, shown beside now, and kept in the URL', async () => {
  const page = await here.open('cluster');
  await page.getByRole('link', { name: text('past.title') }).click();
  const slider = page.getByRole('slider', { name: text('past.slider') });
  await slider.press('ArrowLeft');
  await expect.poll(() => momentOf(page.url())).not.toBe('');
  const at = momentOf(page.url());
  const { instances } = await dataOf(here.stack.client.api.GET('/v1/cluster/past', { params: { query: { at } } }));
  const moved = text('past.moved', { count: instances.moved, total: instances.before });
  await page.getByTestId('past-changes').getByText(moved).waitFor();
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

test('playing goes on from moment to moment until it is paused', async () => {
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
