import type { Browser } from 'playwright-core';
import type { TestStack } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';
import type { WatchedPage } from './browser.ts';

/** Stack that the groups of tests of the dashboard share. Read it within tests only: it is there from then on. */
export interface DashboardStack {
  stack: TestStack;
  /** The stack's API, also after a restart. */
  api: VigilProcess;
  browser: Browser;
  /** One page for tests that follow each other; nobody is signed in at first. */
  window: WatchedPage;
}
