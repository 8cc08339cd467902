import type { Page } from 'playwright-core';

/** Time in milliseconds between two checks the page. */
const lookMs = 20;

/**
 * A promise of the page, as text for `evaluate`: it resolves when an expression has been true at two looks in a row,
 * since what is only about to load searches for a moment as if all were there. A page that checks itself does so at
 * once. Asked from outside, each response would cost three processes a turn, and Playwright asks ever less often, in
 * the end twice a second.
 * @param limitMs after which it is rejected.
 */
export function until(expression: string, limitMs = 60_000): string {
  return `new Promise((resolve, reject) => {
    const deadline = performance.now() + ${limitMs};
    let times = 0;
    const look = () => {
      times = ${expression} ? times + 1 : 0;
      if (times === 2) return resolve();
      if (performance.now() > deadline) return reject(new Error(${JSON.stringify(`it did not come to be: ${expression}`)}));
      setTimeout(look, ${lookMs});
    };
    look();
  })`;
}

/** Waits until the page has its heading, and nothing of it is still loaded. */
export async function waitForPage(page: Page): Promise<void> {
  const hasHeading = "[...document.querySelectorAll('h1')].some((heading) => heading.checkVisibility())";
  await page.evaluate(until(`${hasHeading} && !document.querySelector('.pf-v6-c-spinner')`));
}
