import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useDashboard } from './use-dashboard.ts';

const here = useDashboard();

/** Holds the responses of requests until the returned function is called. */
async function hold(page: Page, ...urls: readonly RegExp[]): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const url of urls)
    await page.route(url, async (route) => {
      await held;
      await route.continue();
    });
  return release;
}

test('the code of a page loads without waiting for the session', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open('');
  const release = await hold(page, /\/dashboard\/session$/);
  const code = page.waitForRequest(/\/assets\/plan-page-[^/]+\.js$/);
  await page.goto(`${here.api.url}/dashboard/plans/${plan.uuid}`);
  await code;
  expect(await page.getByTestId('page-state').count()).toBe(0);
  release();
  await page.getByTestId('page-state').getByText('RECOMMENDED').waitFor();
});

test('the session, the code and the data of a page load without waiting for the code of the frame', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open('');
  const release = await hold(page, /\/assets\/app-[^/]+\.js$/);
  const requests = [
    /\/assets\/app-[^/]+\.js$/,
    /\/dashboard\/session$/,
    /\/assets\/plan-page-[^/]+\.js$/,
    new RegExp(`/lists/action-plans/${plan.uuid}$`),
    /\/preview$/,
    /\/forecasts\/hosts\//,
  ];
  const sent = Promise.all(requests.map((url) => page.waitForRequest(url)));
  await page.goto(`${here.api.url}/dashboard/plans/${plan.uuid}?tab=map`);
  await sent;
  expect(await page.getByRole('button').count()).toBe(0);
  release();
  await page.getByTestId('map-host').first().waitFor();
});

test('the hosts and actions on the map of a plan load without waiting for the plan', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open('');
  const release = await hold(page, new RegExp(`/v1/action_plans/${plan.uuid}$`), /\/v1\/watch\b/);
  const requests = [
    /\/preview$/,
    /\/cluster\/summary$/,
    /\/v1\/actions\b/,
    new RegExp(`/lists/action-plans/${plan.uuid}$`),
  ];
  const sent = Promise.all(requests.map((url) => page.waitForRequest(url)));
  await page.goto(`${here.api.url}/dashboard/plans/${plan.uuid}?tab=map`);
  await sent;
  expect(await page.getByTestId('page-state').count()).toBe(0);
  release();
  await page.getByTestId('map-host').first().waitFor();
});

test.each([
  ['cluster', 'cluster', [/\/cluster\/summary$/, /\/history\/spread$/]],
  [
    'plan',
    'plans/PLAN?tab=map',
    [
      /\/v1\/action_plans\/[^/]+$/,
      /\/outcome$/,
      /\/preview$/,
      /\/cluster\/summary$/,
      /\/v1\/actions\b/,
      /\/lists\/action-plans\//,
      /\/forecasts\/hosts\//,
    ],
  ],
] as const)('the data of a large page (%s) load without waiting for its code', async (name, path, requests) => {
  const { plan } = await here.rows.plan();
  const page = await here.open('');
  const release = await hold(page, new RegExp(`/assets/${name}-page-[^/]+\\.js$`));
  const sent = Promise.all(requests.map((url) => page.waitForRequest(url)));
  await page.goto(`${here.api.url}/dashboard/${path.replace('PLAN', plan.uuid)}`);
  await sent;
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
  release();
  await page.getByRole('heading', { level: 1 }).waitFor();
});
