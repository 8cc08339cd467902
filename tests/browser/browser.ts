import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { testServerUrl } from '../servers/test-server-url.ts';

/**
 * Pages are our own and come from loopback, so Chromium's sandbox has nothing to contain. It would need a program of
 * root or name spaces that many machines forbid. `/dev/shm` is as small as 64 MB in containers.
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

/** Shifts the clock of a page by `ms`. */
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

/** Turns animations and transitions off: each is drawn sixty times a second, and tests check the end state only. */
const noMotion = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }');
  document.adoptedStyleSheets = [sheet];
}`;

/** Longest wait for an element in milliseconds: on a busy machine any process may stop for a while. */
const patienceMs = 60_000;

/** A page with its errors and its streams. */
export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors of the page's scripts, and refusals of its content security policy. */
  problems: string[];
  /** URLs of the streams that were opened. */
  streams: string[];
}

/** Window, theme and clock of a page. */
export interface PageOptions {
  width: number;
  height: number;
  /** Default false. */
  dark?: boolean;
  /** Whether the user prefers reduced motion. The page then keeps its own animations. Default: all are off. */
  motion?: 'reduce' | 'no-preference';
  /** Error of the computer's clock in minutes, default 0. */
  skewMinutes?: number;
  /** Cookies and stored values that it starts with, default none. */
  storageState?: BrowserContextOptions['storageState'];
  /** Runs before the scripts of the page. */
  prepare?(page: Page): Promise<unknown>;
}

/** Opens a page in a new browser session. */
export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const { width, height, dark, motion, skewMinutes = 0, storageState, prepare } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...(motion === undefined ? {} : { reducedMotion: motion }),
    storageState,
  });
  const page = await context.newPage();
  if (motion === undefined) await page.addInitScript(noMotion);
  if (skewMinutes !== 0) await page.addInitScript(skewedClock(skewMinutes * 60_000));
  await prepare?.(page);
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
