import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ExamplePaths, everyPage, fillDashboard } from './example-cloud.ts';
import { useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine', 'scheduler'] });
let paths: ExamplePaths;
beforeAll(async () => {
  paths = await fillDashboard(here);
});

/** Controls that a user reaches with the Tab key, numbered. A group of radio buttons counts once, as browsers do. */
const numberControls = `(() => {
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(({ tabIndex, disabled, type }) => tabIndex >= 0 && !disabled && type !== 'radio')
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  for (const [place, element] of controls.entries()) element.dataset.control = String(place);
  document.activeElement?.blur();
  return controls.map((element) => element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40));
})()`;

/** The number of the focused control, and whether its focus is to be seen. Boxes of a drawing get a thick line. */
const readFocus = `(() => {
  const element = document.activeElement;
  const box = element.querySelector(':scope > rect');
  const isThick = box !== null && parseFloat(getComputedStyle(box).strokeWidth) >= 4;
  const shows = ({ outlineStyle, boxShadow, borderStyle }) =>
    outlineStyle !== 'none' || boxShadow !== 'none' || borderStyle !== 'none';
  const around = [element, element.parentElement, element.nextElementSibling].filter(Boolean);
  const isSeen = isThick || around.some((one) =>
    [null, '::before', '::after'].some((part) => shows(getComputedStyle(one, part))));
  return { place: Number(element.dataset.control ?? -1), isSeen };
})()`;

/** Controls that a rendering has replaced since they were numbered. */
const countReplaced = (controls: number) => `${controls} - document.querySelectorAll('[data-control]').length`;

/** @param walks maximum number of walks over a page that replaces controls during a walk */
async function faultsOf(page: Page, walks = 3): Promise<string[]> {
  const controls = await page.evaluate<string[]>(numberControls);
  const reached = new Set<number>();
  const hidden = new Set<number>();
  // Lists that follow the stream get controls during the walk, which need presses as well.
  const most = 2 * controls.length + 50;
  for (let press = 0; press < most && reached.size < controls.length; press += 1) {
    await page.keyboard.press('Tab');
    const { place, isSeen } = await page.evaluate<{ place: number; isSeen: boolean }>(readFocus);
    if (place < 0) continue;
    reached.add(place);
    if (!isSeen) hidden.add(place);
  }
  const isReplaced =
    reached.size < controls.length && (await page.evaluate<number>(countReplaced(controls.length))) > 0;
  if (isReplaced && walks > 1) return faultsOf(page, walks - 1);
  return controls.flatMap((name, place) => [
    ...(reached.has(place) ? [] : [`"${name}" is not reached by Tab`]),
    ...(hidden.has(place) ? [`the focus on "${name}" is not to be seen`] : []),
  ]);
}

test('every control of every page is reached with the Tab key, and shows its focus', async () => {
  const page = await here.open('overview');
  const found: string[] = [];
  for (const path of everyPage(paths)) {
    await visit(page, path);
    await waitForPage(page);
    found.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`));
  }
  expect(found).toEqual([]);
}, 360_000);
