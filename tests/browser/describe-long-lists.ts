import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TestStack } from '../system/test-stack.ts';
import { seriousProblems } from './accessibility.ts';
import type { WatchedPage } from './browser.ts';
import { oddTexts } from './odd-texts.ts';
import { seededPlan, seedLists } from './seed-lists.ts';
import { visit } from './visit.ts';
import { poll, within } from './within.ts';

/** Longest time in milliseconds until a list of thousands can be worked with, from the address or a search. */
const listBudgetMs = 1000;
/** Most that the first load may take over the wire, everything included. */
const firstLoadBytes = 300_000;

interface Here {
  stack: TestStack;
  browser: Browser;
  /** A page that is signed in. */
  window: WatchedPage;
}

/** Fills the lists of a stack, and works with them from an empty cache. `here` is asked once the stack is there. */
export function describeLongLists(here: () => Here): void {
  test('10,000 audits and 20 plans of 2,000 actions: a small first load, quick lists, and a graph that can be used', async () => {
    const { stack, browser, window } = here();
    await stack.sql(seedLists);
    const url = stack.api.url ?? '';
    // Nothing is in the cache of this one.
    const context = await browser.newContext({
      storageState: await window.context.storageState(),
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    const urls = new Map<string, string>();
    const sizes = new Map<string, number>();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
    network.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength);
    });
    await network.send('Network.enable');
    const rows = page.locator('tbody tr');
    await page.goto(`${url}/dashboard/audits`);
    await rows.nth(19).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const largest = [...sizes].sort(([, left], [, right]) => right - left).slice(0, 12);
    const parts = largest.map(
      ([id, size]) => `${urls.get(id)?.split('/').at(-1)?.split('?')[0]} ${Math.round(size / 1000)}`,
    );
    console.log(`first load with 10,000 audits: ${Math.round(total / 1000)} kB (${parts.join(', ')})`);
    expect(total).toBeLessThan(firstLoadBytes);

    // From one page to the other: what the page itself takes to load is a budget of the overview.
    const openList = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      await rows.nth(19).waitFor();
    };
    const leave = async () => {
      await page.getByRole('link', { name: 'Audit templates' }).click();
      await rows.first().waitFor({ state: 'detached' });
    };
    await within('10,000 audits, opened', listBudgetMs, () => openList('Audits'), leave);
    const search = page.getByLabel('Search audits');
    let wanted = 7700;
    await within('10,000 audits, searched', listBudgetMs, async () => {
      wanted += 1;
      await search.fill(`seeded ${wanted}`);
      await poll(async () => (await rows.count()) === 1 && (await rows.getByText(`seeded ${wanted}`).count()) === 1);
    });
    await search.fill('');
    await within('20 plans of 2,000 actions, opened', listBudgetMs, () => openList('Action plans'), leave);
    await rows.nth(19).getByText('2,000 live migrations').waitFor();

    await visit(page, `plans/${seededPlan}?tab=graph`);
    const boxes = page.locator('.vigil-step');
    const groups = page.locator('.vigil-step[data-group]');
    await groups.first().waitFor();
    expect(await boxes.count()).toBeLessThanOrEqual(300);
    await page.getByRole('button', { name: 'Larger' }).click();
    await page.locator('.vigil-minimap').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.locator('.vigil-minimap').waitFor({ state: 'detached' });
    const before = await boxes.count();
    await groups.first().focus();
    await page.keyboard.press('Enter');
    await poll(async () => (await boxes.count()) > before);
    await poll(() => page.evaluate("document.activeElement?.getAttribute('data-state') !== null"));
    await page.getByRole('button', { name: 'Close the opened groups' }).click();
    await poll(async () => (await boxes.count()) === before);
    expect([...(await seriousProblems(page)), ...(await oddTexts(page))]).toEqual([]);
    await context.close();
  });
}
