import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore, type Store } from '#libs/store';
import { startTestStack, type TestStack, type TestStackOptions } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';
import { openPage, type PageOptions, startBrowser, type WatchedPage } from './browser.ts';
import { createRows, type Rows } from './rows.ts';
import { sessionOf } from './sign-in.ts';
import { useEnglishTexts } from './texts.ts';
import { waitForPage } from './wait-for-page.ts';

/** A stack with the dashboard that the tests of a file share. Read it within hooks and tests only. */
export interface Dashboard {
  stack: TestStack;
  /** The API of the stack, also after a restart. */
  api: VigilProcess;
  browser: Browser;
  store: Store;
  /** Inserts rows that belong to one test. */
  rows: Rows;
  /** Opens a page of the dashboard without a user. It closes at the end of the test. */
  openSignedOut(path: string, options?: Partial<PageOptions>): Promise<WatchedPage>;
  /** Opens a page as the administrator and waits until it is complete. It closes at the end of the test. */
  open(path: string, options?: Partial<PageOptions>): Promise<Page>;
  /** As `open`, with the streams that the page has opened. */
  watch(path: string, options?: Partial<PageOptions>): Promise<WatchedPage>;
}

/** Processes in addition to the API and the simulator, and their settings. */
export interface DashboardOptions extends TestStackOptions {
  /** Default none. */
  services?: readonly string[];
}

/** Sizes of windows in px. */
export const desk = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** A small cloud in which no time passes and no load is recorded. */
export const stillWorld = ['--generate', 'hosts=8,instances=60,seed=7,skew=3,zones=3', '--speed', '0'];

/**
 * Starts one stack for the tests of a file. Every test opens a new page. It fails when a script of that page fails or
 * the content security policy refuses anything.
 */
export function useDashboard(options: DashboardOptions = {}): Dashboard {
  const here = {} as Dashboard;
  let session: Promise<BrowserContextOptions['storageState']> | undefined;
  beforeAll(async () => {
    useEnglishTexts();
    const { services = [], ...stackOptions } = options;
    [here.browser, here.stack] = await Promise.all([
      startBrowser(),
      startTestStack({ simulator: stillWorld, ...stackOptions }),
    ]);
    here.api = here.stack.api;
    here.store = await createStore({ url: here.stack.env.VIGIL_DATABASE_URL ?? '', logger: silentLogger });
    here.rows = createRows(here.store.db);
    await Promise.all(services.map((service) => here.stack.start([service])));
  });
  afterAll(async () => {
    await here.browser?.close();
    await here.store?.close();
    await here.stack?.stop();
  });
  const openIn = async (path: string, wanted: Partial<PageOptions>): Promise<WatchedPage> => {
    const watched = await openPage(here.browser, { ...desk, ...wanted });
    onTestFinished(() => watched.context.close());
    onTestFinished(() => expect(watched.problems, 'errors in the page').toEqual([]));
    await watched.page.goto(`${here.api.url}/dashboard/${path}`);
    return watched;
  };
  here.openSignedOut = (path, wanted = {}) => openIn(path, wanted);
  here.watch = async (path, wanted = {}) => {
    session ??= sessionOf(here.browser, here.api.url ?? '');
    const watched = await openIn(path, { ...wanted, storageState: await session });
    await waitForPage(watched.page);
    return watched;
  };
  here.open = async (path, wanted = {}) => (await here.watch(path, wanted)).page;
  return here;
}
