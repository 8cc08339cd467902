import type { Page } from 'playwright-core';
import { until, waitForPage } from '../../tests/browser/wait-for-page.ts';
import type { Shown } from './read-page.ts';

/** Tabs of a plan that are drawings, each read in its own way. */
export type DrawnTab = 'run' | 'graph' | 'map' | 'timeline';

/** Evaluated in the page, by tab: names and texts of its drawn parts. */
const readers: Record<DrawnTab, string> = {
  run: `[
    ...[...panel.querySelectorAll('.vigil-lanes > li')].map((lane) =>
      ['lane ' + textOf(lane.querySelector('.vigil-lane-title')), lane.querySelector('[role=progressbar]').ariaValueText]),
    ...[...panel.querySelectorAll('p.vigil-lead > strong')].map((left) => ['time left', textOf(left)]),
  ]`,
  graph: `[
    ...[...panel.querySelectorAll('[data-testid=step]:not([data-group])')].map((step) => ['step', step.ariaLabel]),
    ['title', textOf(panel.querySelector('svg > title'))],
  ]`,
  map: `[...panel.querySelectorAll('[data-testid=map-host].vigil-map-touched')].map((host) =>
    ['host ' + host.dataset.host, host.title])`,
  timeline: `[...panel.querySelectorAll('.vigil-timeline li')].map((row) => [
    'bar ' + textOf(row.querySelector('.vigil-timeline-name')),
    textOf(row.querySelector('.vigil-timeline-length')) + ', ' + textOf(row.querySelector('[data-testid=state]')),
  ])`,
};

/**
 * Opens a tab of a plan and reads its drawing. Parts of the same name are joined in alphabetical order.
 * @param query of the tab, such as the quantity of its map
 */
export async function readTab(page: Page, plan: string, tab: DrawnTab, query = ''): Promise<Shown> {
  await page.goto(`${plan}?tab=${tab}${query}`);
  await waitForPage(page);
  // A map has no hosts until its width is known.
  if (tab === 'map') await page.evaluate(until("document.querySelector('[data-testid=map-host]')"));
  const parts = await page.evaluate<[name: string, text: string][]>(`(() => {
    const panel = document.querySelector('[role=tabpanel]');
    const textOf = (element) => element.textContent.replaceAll(/\\s+/g, ' ').trim();
    return ${readers[tab]};
  })()`);
  return joined(parts);
}

/** Parts by their names. The texts of one name are in alphabetical order, since drawings have another one. */
export function joined(parts: readonly (readonly [name: string, text: string])[]): Shown {
  const texts = new Map<string, string[]>();
  for (const [name, text] of parts) texts.set(name, [...(texts.get(name) ?? []), text]);
  return new Map([...texts].map(([name, all]) => [name, all.sort().join('\n')]));
}
