import type { Page } from 'playwright-core';
import { until, waitForPage } from '../../tests/browser/wait-for-page.ts';

/** A forecast of the CPU load of a host, as the internal API returned it to the page. */
export interface Forecast {
  id: string;
  last_value: number | null;
  history_days: number;
  season: 'day' | 'week' | null;
  backtest: { verdict: string };
  hours: readonly { from: string; low: number; expected: number; high: number }[];
}

/** Shown parts of a page: each a name and its text. */
export type Shown = Map<string, string>;

interface Read {
  parts: [name: string, text: string][];
  /** Texts with a number that belong to no part. */
  others: string[];
}

/**
 * Evaluated in the page. Lists its headline, facts, bars, tables and strips. `others` has every other text with a
 * number, without times, links (names of things), controls and headings with the id of the plan.
 */
const readParts = `(() => {
  const parts = [];
  const seen = new Set();
  const textOf = (element) => element.textContent.replaceAll(/\\s+/g, ' ').trim();
  const add = (name, element, text = textOf(element)) => {
    parts.push([name, text]);
    seen.add(element);
  };
  const main = document.querySelector('main');
  const sectionOf = (element) => element.closest('.pf-v6-c-card')?.querySelector('h2')?.textContent ?? 'headline';
  for (const list of main.querySelectorAll('dl.vigil-facts')) {
    for (const item of list.children) {
      const name = sectionOf(list) + ': ' + textOf(item.firstElementChild);
      add(name, item, textOf(item.lastElementChild));
    }
  }
  const head = main.querySelector('.vigil-headline');
  const lines = head?.querySelectorAll(':scope > p:not(.vigil-subtle)') ?? [];
  for (const [place, line] of [...lines].entries())
    add(place === 0 ? 'headline: gain' : 'headline: cost', line);
  for (const line of head?.querySelectorAll('[data-testid=side-effects] li') ?? []) add('side effect', line);
  const without = main.querySelector('[data-testid=without-plan]');
  const withoutTitle = without?.querySelector('[class*=alert__title]');
  const plainText = (element) => {
    const copy = element.cloneNode(true);
    for (const hidden of copy.querySelectorAll('[class*=screen-reader]')) hidden.remove();
    return textOf(copy);
  };
  if (withoutTitle) add('without', withoutTitle, plainText(withoutTitle));
  for (const line of without?.querySelectorAll('p') ?? []) add('without more', line);
  for (const [place, cells] of [...(head?.querySelectorAll('.vigil-strip-cells') ?? [])].entries()) {
    const titles = [...cells.children].map((cell) => cell.title).join('; ');
    add(place === 0 ? 'strip: before' : 'strip: after', cells, titles);
  }
  for (const bar of main.querySelectorAll('.vigil-progress')) {
    if (bar.closest('.vigil-lanes, table')) continue;
    const filled = bar.querySelector('[role=progressbar]');
    add('progress', bar, filled.ariaValueText + ' | ' + textOf(bar.querySelector('.vigil-progress-text')));
  }
  for (const table of main.querySelectorAll('table')) {
    const name = table.getAttribute('aria-label');
    for (const row of table.querySelectorAll('tbody tr')) {
      const cells = [...row.querySelectorAll('td[data-label]')].filter((cell) => !cell.querySelector('time, input'));
      if (cells.length === 0) continue;
      const [first, ...others] = cells;
      for (const cell of others) add(name + ': ' + textOf(first) + ': ' + cell.dataset.label, cell);
      seen.add(first);
    }
  }
  for (const line of main.querySelectorAll('[role=tabpanel] p.vigil-lead:not(:has(time))')) add('lead', line);
  const names = 'time, a, button, input, h1, nav, code, [data-literal], .vigil-lanes';
  const skipped = names + ', [class*=helper-text], [class*=pagination], [class*=menu]';
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const others = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!/\\d/.test(node.textContent) || !node.parentElement.checkVisibility()) continue;
    if (node.parentElement.closest(skipped)) continue;
    let element = node.parentElement;
    while (element && !seen.has(element)) element = element.parentElement;
    if (!element) others.push(textOf(node));
  }
  return { parts, others: [...new Set(others)] };
})()`;

const limitMs = 60_000;
const forecastPath = /\/internal\/forecasts\/hosts\//;

/** The shown parts of a page. */
export interface ReadPage {
  /** Parts of the same name are joined. */
  parts: Shown;
  others: string[];
  /** Forecasts that the page has read, in the order of their hosts. */
  forecasts: Forecast[];
}

/**
 * Opens a page and reads its parts, after everything on it has loaded.
 * @param hosts of which the page reads forecasts
 */
export async function readPage(page: Page, url: string, hosts: readonly string[] = []): Promise<ReadPage> {
  const responses = hosts.map((host) =>
    page.waitForResponse(
      (response) =>
        forecastPath.test(response.url()) && new URL(response.url()).pathname.endsWith(`/${encodeURIComponent(host)}`),
      { timeout: limitMs },
    ),
  );
  await Promise.all([page.goto(url), ...responses]);
  await waitForPage(page);
  const forecasts = await Promise.all(
    responses.map(async (response) => {
      const read = await response;
      if (!read.ok()) throw new Error(`${read.url()}: ${read.status()} ${await read.text()}`);
      return (await read.json()) as Forecast;
    }),
  );
  if (hosts.length > 0) await page.evaluate(until("document.querySelector('[data-testid=without-plan]')"));
  const { parts, others } = await page.evaluate<Read>(readParts);
  const shown: Shown = new Map();
  for (const [name, text] of parts) shown.set(name, shown.has(name) ? `${shown.get(name)}\n${text}` : text);
  return { parts: shown, others, forecasts };
}
