import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { startTestStack } from '../system/test-stack.ts';
import { openPage, startBrowser } from './browser.ts';
import { everyPage, fillDashboard } from './example-cloud.ts';
import { createRows } from './rows.ts';
import { sessionOf } from './sign-in.ts';
import { stillWorld } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForLayout, waitForPage } from './wait-for-page.ts';

const languages = ['en', 'de'] as const;
const themes = ['light', 'dark'] as const;
/** Windows in px. A picture is as high as the content of its page, but no higher than `mostHeight`. */
const windows = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const mostHeight = 4000;
/** A page that grows as much as its window never fits. */
const mostGrowth = 4;
/** Charts have lines of some hours. */
const someHistory = ['--sample-seconds', '60', '--backfill-minutes', '240'];

/** Pixels of the page that do not fit into the window. */
const scrolled = "document.querySelectorAll('main, [class*=main-container]')";
const hiddenHeight = `Math.max(0, ...[document.documentElement, ...${scrolled}]
  .map((element) => element.scrollHeight - element.clientHeight))`;

/**
 * Takes every page of the dashboard with the example cloud in every width, theme and language, as
 * `<width>-<theme>-<language>/<page>.png`.
 * @param only a part of the paths of the wanted pages. Default: every page.
 * @returns the number of pictures
 */
export async function takePictureSet(folder: string, only = ''): Promise<number> {
  const browser = await startBrowser();
  const stack = await startTestStack({ simulator: [...stillWorld, ...someHistory] });
  try {
    await Promise.all(['decision-engine', 'scheduler'].map((service) => stack.start([service])));
    const store = await createStore({ url: stack.env.VIGIL_DATABASE_URL ?? '', logger: silentLogger });
    const paths = await fillDashboard({ stack, store, rows: createRows(store.db) }).finally(() => store.close());
    const pages = Object.entries({ ...named(everyPage(paths)), ...named(Object.values(paths)) });
    const chosen = new Map(pages.filter(([, path]) => path.includes(only)).map(([name, path]) => [path, name]));
    let count = 0;
    for (const language of languages)
      count += await takeLanguage(browser, stack.api.url ?? '', { folder, language, chosen });
    return count;
  } finally {
    await browser.close();
    await stack.stop();
  }
}

/** Paths by names that files can have, the same for every run. */
function named(paths: readonly string[]): Record<string, string> {
  const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  const known = new Map<string, number>();
  const numbered = (id: string) => String(known.get(id) ?? known.set(id, known.size + 1).size);
  return Object.fromEntries(paths.map((path) => [path.replaceAll(uuid, numbered).replaceAll(/[^\w-]+/g, '-'), path]));
}

interface Wanted {
  folder: string;
  language: (typeof languages)[number];
  /** Names by path. */
  chosen: ReadonlyMap<string, string>;
}

/** Makes the window as high as the page. Parts that are as high as the window grow with it, so it is measured again. */
async function showAll(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  let shown = height;
  for (let times = 0; times < mostGrowth && shown < mostHeight; times += 1) {
    const hidden = await page.evaluate<number>(hiddenHeight);
    if (hidden === 0) return;
    shown = Math.min(mostHeight, shown + hidden);
    await page.setViewportSize({ width, height: shown });
    await waitForLayout(page, width);
  }
}

async function takeLanguage(browser: Browser, apiUrl: string, { folder, language, chosen }: Wanted): Promise<number> {
  const prepare = (page: Page) => page.addInitScript(`localStorage.setItem('vigil-language', '${language}')`);
  const storageState = await sessionOf(browser, apiUrl);
  const { page, context } = await openPage(browser, { ...windows[0], storageState, prepare });
  await page.goto(`${apiUrl}/dashboard/overview`);
  await waitForPage(page);
  for (const [path, name] of chosen) {
    for (const { width, height } of windows) {
      await page.setViewportSize({ width, height });
      await visit(page, path);
      await waitForPage(page);
      await waitForLayout(page, width);
      await showAll(page, { width, height });
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        await waitForLayout(page, width);
        const own = join(folder, `${width}-${theme}-${language}`);
        mkdirSync(own, { recursive: true });
        await page.screenshot({ path: join(own, `${name}.png`) });
      }
    }
  }
  await context.close();
  return chosen.size * windows.length * themes.length;
}
