import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { OperatorError } from '#libs/domain';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium: that of `VIGIL_TEST_CHROMIUM`, or the system's.
 * @throws OperatorError saying how to get one when there is none.
 */
export async function startBrowser(): Promise<Browser> {
  const { VIGIL_TEST_CHROMIUM } = process.env;
  const executablePath = [VIGIL_TEST_CHROMIUM, ...candidates].find((path) => path !== undefined && existsSync(path));
  if (!executablePath)
    throw new OperatorError(
      'the tests of the dashboard need Chromium: `apt-get install chromium`, or name the program in VIGIL_TEST_CHROMIUM',
    );
  return chromium.launch({ executablePath, args: flags });
}

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

/** Opens a page of the given size and theme. */
export async function openPage(
  browser: Browser,
  options: { width: number; height: number; dark?: boolean },
): Promise<WatchedPage> {
  const { width, height, dark } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
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
