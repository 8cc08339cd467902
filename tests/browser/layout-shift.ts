import type { Page } from 'playwright-core';
import { waitForLayout, waitForPage } from './wait-for-page.ts';

const observeShifts = `{
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}`;

/**
 * Loads a page whose responses arrive one by one, each after the page has shown the one before it.
 * @param responses their URLs in the order of arrival
 * @returns the sum of all layout shifts
 */
export async function layoutShiftOf(page: Page, url: string, responses: readonly RegExp[]): Promise<number> {
  const releases: (() => void)[] = [];
  for (const response of responses) {
    const held = new Promise<void>((resolve) => releases.push(resolve));
    await page.route(response, async (route) => {
      await held;
      await route.continue();
    });
  }
  await page.addInitScript(observeShifts);
  await page.goto(url);
  const width = page.viewportSize()?.width ?? Number.NaN;
  for (const [at, release] of releases.entries()) {
    const arrived = page.waitForResponse(responses[at] as RegExp);
    release();
    await arrived;
    await waitForLayout(page, width);
  }
  await waitForPage(page);
  await waitForLayout(page, width);
  return page.evaluate<number>('layoutShift');
}

/** Responses that the page of a plan shows with the tab of the map, from its head to its foot. */
export const planMapResponses: readonly RegExp[] = [
  /\/v1\/action_plans\/[^/]+$/,
  /\/lists\/action-plans\/[^/?]+$/,
  /\/forecasts\/hosts\//,
  /\/v1\/actions\b/,
  /\/preview$/,
  /\/cluster\/summary$/,
  /\/comments$/,
];
/** Highest sum of layout shifts of a page, as the Core Web Vitals have it. */
export const highestShift = 0.1;
