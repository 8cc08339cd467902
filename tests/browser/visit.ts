import type { Page } from 'playwright-core';

/**
 * Goes to a page of the dashboard that is open, as its links do: nothing is loaded anew, which costs half of what a load does. What was shown
 * before is gone at the end, also when it was the same page with another tab.
 * @param path below the dashboard, with its query.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const nowhere = page.getByText(/^(There is no such page|Diese Seite gibt es nicht)$/);
  await goTo(page, 'nowhere');
  await nowhere.waitFor();
  await goTo(page, path);
  await nowhere.waitFor({ state: 'detached' });
}

/** The router follows the browser's buttons: to it this is one of them. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', new URL(${JSON.stringify(path)}, document.baseURI));
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }`);
}
