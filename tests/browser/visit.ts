import type { Page } from 'playwright-core';
import { inGerman, text } from './texts.ts';
import { until } from './wait-for-page.ts';

const nowhere = JSON.stringify([text('shell.noSuchPage'), inGerman('shell.noSuchPage')]);
const isNowhere = `[...document.querySelectorAll('h2')].some((heading) => ${nowhere}.includes(heading.textContent))`;

/**
 * Goes to a page within an open dashboard, as its links do: no script is loaded again. A page that does not exist is
 * shown between, so that nothing of the page before is left.
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
