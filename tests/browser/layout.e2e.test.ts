import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { highestShift, layoutShiftOf, planMapResponses } from './layout-shift.ts';
import { text } from './texts.ts';
import { phone, useDashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';
import { waitForLayout } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine'] });

test('numbers of a table end below each other, names start below each other', async () => {
  await strategyNames(here.stack.client);
  const page = await here.open('cluster');
  await page.getByRole('grid').first().waitFor();
  const alignOf = (label: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('td[data-label="${label}"]')).textAlign`);
  expect(await alignOf(text('column.instances'))).toBe('end');
  expect(await alignOf(text('column.zone'))).not.toBe('end');
});

test('a time within a reason of the API is in the format of the browser', async () => {
  const opens = '2026-12-24T22:00:00.000Z';
  const { plan } = await here.rows.plan({
    plan: { state: 'PENDING', statusMessage: `Waiting for the maintenance window, which opens at ${opens}` },
  });
  const page = await here.open(`plans/${plan.uuid}`);
  const shown = await page.locator(`time[datetime="${opens}"]`).first().textContent();
  expect(shown).toContain('24');
  expect(shown).not.toContain('T22');
});

test('the link beside the heading of a card stays in one line on a phone', async () => {
  const page = await here.open('overview', phone);
  const link = page.getByRole('link', { name: text('overview.allPlans') });
  expect(
    await link.evaluate((element: { getClientRects(): { length: number } }) => element.getClientRects().length),
  ).toBe(1);
});

test('the German sign-out button keeps a distance from the edge of a phone', async () => {
  const prepare = (own: Page) => own.addInitScript("localStorage.setItem('vigil-language', 'de')");
  const page = await here.open('overview', { ...phone, prepare });
  const button = await page.getByRole('banner').getByRole('button').last().boundingBox();
  expect(phone.width - (button?.x ?? Number.NaN) - (button?.width ?? Number.NaN)).toBeGreaterThanOrEqual(14);
});

test('a list cuts the generated name of an audit and has the whole name as its title', async () => {
  const name = 'workload_stabilization-2026-11-29T21:00:00.123456';
  await here.rows.plan({ audit: { name } });
  const page = await here.open('plans');
  const link = page.getByRole('link', { name });
  expect(await link.getAttribute('title')).toBe(name);
  const isCut = (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth > element.clientWidth;
  expect(await link.evaluate(isCut)).toBe(true);
});

test('the buttons of a page end above its sentence', async () => {
  const page = await here.open('trends');
  const buttons = await page.locator('.vigil-header-actions').boundingBox();
  const sentence = await page.locator('.vigil-header > p').boundingBox();
  expect(sentence?.y).toBeGreaterThanOrEqual((buttons?.y ?? Number.NaN) + (buttons?.height ?? 0));
});

test('a page has settled when nothing on it moves between frames', async () => {
  const page = await here.open('overview');
  await page.evaluate(`{
    const box = document.body.appendChild(document.createElement('div'));
    let width = 0;
    const grow = () => { box.style.width = ++width + 'px'; if (width < 20) requestAnimationFrame(grow); };
    grow();
  }`);
  await waitForLayout(page, 1280);
  expect(await page.evaluate('document.body.lastElementChild.style.width')).toBe('20px');
});

test('the parts of a plan with its map arrive one by one without moving each other', async () => {
  await strategyNames(here.stack.client);
  const { plan } = await here.rows.plan({ actions: 20, hosts: ['compute-1', 'compute-2'] });
  const page = await here.open('');
  const url = `${here.api.url}/dashboard/plans/${plan.uuid}?tab=map`;
  expect(await layoutShiftOf(page, url, planMapResponses)).toBeLessThan(highestShift);
});
