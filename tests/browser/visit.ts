import type { Page } from 'playwright-core';
import { until } from './wait-for-page.ts';

const isNowhere = `[...document.querySelectorAll('h2')].some((heading) =>
  /^(There is no such page|Diese Seite gibt es nicht)$/.test(heading.textContent))`;

/**
 * Goes to a page of the dashboard that is open, as its links do: nothing is loaded anew, which costs half of what a
 * load does. What was shown before is gone at the end, also when it was the same page with another tab.
 * @param path below the dashboard, with its query.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    ${goTo('nowhere')}
    await ${until(isNowhere)};
    ${goTo(path)}
    await ${until(`!${isNowhere}`)};
  })()`);
}

/** The router follows the browser's buttons: to it this is one of them. */
function goTo(path: string): string {
  return `history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', new URL(${JSON.stringify(path)}, document.baseURI));
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));`;
}
