import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { testServerUrl } from '../servers/test-server-url.ts';

/**
 * Pages are our own and come from loopback, so that Chromium's sandbox has nothing to keep in. It would need a program
 * of root's or name spaces that many machines forbid. `/dev/shm` is as small as 64 MB in containers.
 */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium that the global set-up provides, or that of `VIGIL_TEST_CHROMIUM`. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: testServerUrl('chromium'), args: flags });
}

/** Makes every clock of a page that counts from 1970 wrong. */
const skewedClock = (ms: number) => `{
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) {
      if (parts.length > 0) super(...parts);
      else super(Real.now() + ${ms});
    }
    static now() {
      return Real.now() + ${ms};
    }
  };
}`;

/**
 * Nothing moves by itself: what turns, fades or glides is drawn sixty times a second, and tests check what comes of
 * it. The page itself still decides what it shows to whom wants less motion.
 */
const noMotion = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }');
  document.adoptedStyleSheets = [sheet];
}`;

/** Longest wait for what a page is to show: that of a machine on which any process may stand still for a while. */
const patienceMs = 60_000;

/** A page that fails the test when something goes wrong in it. */
export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors of the page's scripts, and what its content security policy refused. */
  problems: string[];
  /** URLs of the streams that were opened. */
  streams: string[];
}

/**
 * Opens a page of the given size and theme, on a computer whose clock is wrong by `skewMinutes` (default 0).
 * @param where a browser, for its own session. Or a context, whose session and loaded files the page shares.
 */
export async function openPage(
  where: Browser | BrowserContext,
  options: { width: number; height: number; dark?: boolean; skewMinutes?: number },
): Promise<WatchedPage> {
  const { width, height, dark, skewMinutes = 0 } = options;
  const context = 'newContext' in where ? await where.newContext() : where;
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  await page.addInitScript(noMotion);
  if (skewMinutes !== 0) await page.addInitScript(skewedClock(skewMinutes * 60_000));
  page.setDefaultTimeout(patienceMs);
  const problems: string[] = [];
  const streams: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url().includes('/v1/watch')) streams.push(request.url());
  });
  return { page, context, problems, streams };
}
