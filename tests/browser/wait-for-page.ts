import type { Page } from 'playwright-core';

/** Time in milliseconds between two checks of the page. */
const checkMs = 20;

/**
 * A promise of the page, as text for `evaluate`. It resolves when two checks in a row find the expression true: a page
 * that is about to load is complete for a moment. The page checks itself, which costs less than a call from outside.
 * @param limitMs after which it rejects.
 */
export function until(expression: string, limitMs = 60_000): string {
  return `new Promise((resolve, reject) => {
    const deadline = performance.now() + ${limitMs};
    let times = 0;
    const look = () => {
      times = ${expression} ? times + 1 : 0;
      if (times === 2) return resolve();
      if (performance.now() > deadline) return reject(new Error(${JSON.stringify(`not true in time: ${expression}`)}));
      setTimeout(look, ${checkMs});
    };
    look();
  })`;
}

const isLoaded = "!document.querySelector('[data-testid=loading]')";

/** Waits until the page loads nothing. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.evaluate(until(isLoaded));
}

/** Waits until the page has its heading and loads nothing. */
export async function waitForPage(page: Page): Promise<void> {
  const hasHeading = "[...document.querySelectorAll('h1')].some((heading) => heading.checkVisibility())";
  await page.evaluate(until(`${hasHeading} && ${isLoaded}`));
}

/** Place and size of each element. */
const layout = `[...document.querySelectorAll('body *')].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join();
}).join(' ')`;

/**
 * Waits until the page has the width of its window and three drawn frames in a row are alike: observers of sizes draw
 * charts and maps again after a frame.
 */
export async function waitForLayout(page: Page, width: number): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const deadline = performance.now() + 30_000;
    let [last, alike] = ['', 0];
    const look = () => {
      const next = innerWidth === ${width} ? ${layout} : '';
      alike = next !== '' && next === last ? alike + 1 : 0;
      last = next;
      if (alike === 2) return resolve();
      if (performance.now() > deadline) return reject(new Error('the layout does not settle'));
      requestAnimationFrame(look);
    };
    look();
  })`);
}
