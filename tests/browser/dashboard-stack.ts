import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';
import { openPage, startBrowser, type WatchedPage } from './browser.ts';
import { parkMessages } from './given-up-work.ts';
import { screenshots } from './screenshot.ts';

/** Stack that the groups of tests of the dashboard share. Read it within tests only: it is there from then on. */
export interface DashboardStack {
  stack: TestStack;
  /** The stack's API, also after a restart. */
  api: VigilProcess;
  browser: Browser;
  /** One page for tests that follow each other. Nobody is signed in at first. */
  window: WatchedPage;
}

/** A small cloud with a load that is spread badly, and migrations that take seconds. */
const world = ['--generate', 'hosts=8,instances=60,seed=7,skew=3', '--speed', '40', '--sample-seconds', '5'];

/**
 * One stack for all groups of a file: processes take longer to start than most tests to run. Two messages are parked in
 * it.
 */
export function useDashboardStack(): DashboardStack {
  const here = {} as DashboardStack;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    here.browser = await startBrowser();
    // The API is reached by itself and below a path of a proxy.
    const env = { VIGIL_WEBSSO: 'openid=Company account', VIGIL_ENABLE_PROXY_HEADERS: 'true' };
    const stack = await startTestStack({ simulator: world, env });
    here.stack = stack;
    here.api = stack.api;
    await parkMessages(stack.env.VIGIL_DATABASE_URL ?? '', 2);
    await stack.start(['decision-engine']);
    await stack.start(['applier']);
    await stack.start(['scheduler']);
    here.window = await openPage(here.browser, { width: 1280, height: 900 });
  });
  afterAll(async () => {
    await here.browser?.close();
    await here.stack?.stop();
  });
  return here;
}
