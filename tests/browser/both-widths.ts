import type { Page } from 'playwright-core';
import { seriousProblems } from './accessibility.ts';
import { oddTexts } from './odd-texts.ts';
import { until } from './wait-for-page.ts';

/** Sizes of windows in px. */
export const desk = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/**
 * Longest time until a page has followed a change of its width, on a machine on which it may stand still for a while.
 */
const settleMs = 20_000;

/**
 * What is wrong with what the page shows, at the width of a desk and at that of a phone: impossible texts, a page that
 * is wider than its window, and what axe finds serious. A line each. It starts with the width that the page has, and
 * leaves it at the other: each change costs more than a look.
 * @param where starts every line.
 * @param unseen what axe checks. `nothing` is for what differs in its rows alone from what it has seen, `dialog` for
 * what is open above a page that it has seen.
 * @param atDesk a further look, at the width of a desk.
 */
export async function problemsAtBothWidths(
  page: Page,
  where: string,
  unseen: 'page' | 'dialog' | 'nothing' = 'page',
  atDesk: (page: Page) => Promise<string[]> = async () => [],
): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize()?.width;
  for (const size of before === phone.width ? [phone, desk] : [desk, phone]) {
    if (size.width !== page.viewportSize()?.width) await page.setViewportSize(size);
    const seen = [...(await cutOff(page)), ...(await oddTexts(page))];
    if (size === desk) seen.push(...(await atDesk(page)));
    // What a narrow page stacks has the roles and names that the wide one has, and less room for them.
    else if (unseen !== 'nothing')
      seen.push(...(await seriousProblems(page, 'all', unseen === 'dialog' ? '[role=dialog]' : undefined)));
    found.push(...seen.map((text) => `${where}, ${size.width} px: ${text}`));
  }
  return found;
}

/** Words in tables that are broken, and tables of which the right side is out of sight. A line each. */
export async function tableFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(readTables);
}

const readTables = `(() => {
  const found = new Set();
  const range = document.createRange();
  for (const cell of document.querySelectorAll('td, th')) {
    if (!cell.checkVisibility()) continue;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('code, pre, .pf-v6-screen-reader')) continue;
      for (const { 0: word, index } of node.textContent.matchAll(/(?<![\\p{L}\\d.])[\\p{L}\\d.]{2,16}(?![\\p{L}\\d.])/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.add('a broken word: ' + word);
      }
    }
  }
  for (const box of document.querySelectorAll('.vigil-scroll'))
    if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      found.add('a table out of sight: ' + box.querySelector('table')?.getAttribute('aria-label'));
  return [...found];
})()`;

/**
 * What the window does not show to its right, and nothing scrolls to, once parts that follow their own width have been
 * drawn anew.
 */
export async function cutOff(page: Page): Promise<string[]> {
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  const hasSettled = await page.evaluate(`${until(`${wider} <= 1`, settleMs)}.then(() => true, () => false)`);
  return hasSettled ? [] : [`${await page.evaluate(wider)} px wider than the window`];
}
