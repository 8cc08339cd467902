import type { Page } from 'playwright-core';
import { canMatch } from '../../services/dashboard/trim-styles.ts';
import { oddTexts } from './odd-texts.ts';
import { until } from './wait-for-page.ts';

/** Longest time in milliseconds until a page has followed a change of its width. */
const settleMs = 20_000;

/** Impossible texts of the page, parts that its width cuts off, and elements without their styles. A line each. */
export async function pageFaults(page: Page): Promise<string[]> {
  const width = page.viewportSize()?.width;
  const layout = [...(await cutOff(page)), ...(await layoutFaults(page))];
  const found = [...layout, ...(await withoutStyles(page)), ...(await oddTexts(page))];
  return found.map((fault) => `${width} px: ${fault}`);
}

/** Words in tables that are broken into two lines, and tables that their box cuts off. A line each. */
export async function tableFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(readTables);
}

/**
 * Controls beyond the edge of the window, buttons with a text beyond their own edge, cards that hide a part of their
 * content, and bare texts next to elements in a cell, which separate on a phone.
 */
const readLayout = `(() => {
  const main = document.querySelector('main');
  const isClipped = (element) => {
    for (let box = element.parentElement; box && box !== main; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible') return true;
    return false;
  };
  const outside = [...main.querySelectorAll('a, button, select, input')]
    .filter((control) => control.checkVisibility() && control.getBoundingClientRect().right > innerWidth + 1)
    .filter((control) => !isClipped(control));
  const buttons = [...main.querySelectorAll('.pf-v6-c-button')]
    .filter((button) => button.textContent.trim() !== '' && button.checkVisibility())
    .filter((button) => button.scrollWidth > button.clientWidth + 1);
  const cards = [...main.querySelectorAll('.pf-v6-c-card')]
    .filter((card) => card.checkVisibility() && card.scrollHeight > card.clientHeight + 1);
  const cells = [...document.querySelectorAll('td')].filter((cell) => getComputedStyle(cell).display === 'grid');
  const split = cells.filter(({ children, childNodes }) => children.length > 0 &&
    [...childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent.trim() !== ''));
  return [
    ...outside.map((control) => 'a control that is cut off: ' + (control.ariaLabel ?? control.textContent)),
    ...buttons.map((button) => 'a button narrower than its text: ' + button.textContent),
    ...cards.map((card) => 'a card that is cut off: ' + card.querySelector('h2, h3')?.textContent),
    ...split.map((cell) => 'a cell that comes apart: ' + cell.textContent),
  ];
})()`;

const readTables = `(() => {
  const found = new Set();
  const range = document.createRange();
  for (const cell of document.querySelectorAll('td, th')) {
    if (!cell.checkVisibility()) continue;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // Texts for screen readers alone are 1 px wide.
      if (node.parentElement.closest('code, pre') || node.parentElement.getBoundingClientRect().width <= 1) continue;
      for (const { 0: word, index } of node.textContent.matchAll(/(?<![\\p{L}\\d.])[\\p{L}\\d.]{2,16}(?![\\p{L}\\d.])/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.add('a broken word: ' + word);
      }
    }
  }
  for (const box of document.querySelectorAll('[data-testid=table-box]'))
    if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      found.add('a table that is cut off: ' + box.querySelector('table')?.getAttribute('aria-label'));
  return [...found];
})()`;

/** Waits for the layout of a changed width as well. */
async function layoutFaults(page: Page): Promise<string[]> {
  const isRight = until(`${readLayout}.length === 0`, settleMs / 4);
  const hasSettled = await page.evaluate(`${isRight}.then(() => true, () => false)`);
  return hasSettled ? [] : await page.evaluate<string[]>(readLayout);
}

/** The part of the page to the right of its window that no scrolling reaches. */
async function cutOff(page: Page): Promise<string[]> {
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  const hasSettled = await page.evaluate(`${until(`${wider} <= 1`, settleMs)}.then(() => true, () => false)`);
  return hasSettled ? [] : [`${await page.evaluate(wider)} px wider than the window`];
}

const readClasses = `[...new Set([...document.querySelectorAll('[class*=pf-]')].map(
  ({ classList }) => [...classList].map((name) => '.' + name).join('')))]`;

/** Elements with a combination of classes whose rules the build removes from the style sheets. */
async function withoutStyles(page: Page): Promise<string[]> {
  const selectors = await page.evaluate<string[]>(readClasses);
  return selectors
    .filter((selector) => !canMatch(selector))
    .map((selector) => `an element without its styles: ${selector}`);
}
