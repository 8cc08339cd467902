import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { dataOf } from '#libs/client';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import { openPage, startBrowser } from './browser.ts';
import { signIn } from './sign-in.ts';
import { text } from './texts.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const limits = { pollMs: 200, timeoutMs: 300_000 };
/** Instances move quickly or stand still. */
const run = { speed: 1000 };
const still = { speed: 0 };

/** Takes the pictures of the documentation: `plan`, `plan-map`, `cluster`, `run-before`, `run-during`, `run-after`. */
export async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await startBrowser();
  try {
    await withStack(['--generate', 'hosts=8,instances=130,seed=7,skew=3', '--speed', '0'], (stack) =>
      takePlan(browser, stack, folder),
    );
    await withStack(['--generate', 'hosts=1000,instances=6000,seed=11,skew=3'], (stack) =>
      takeCluster(browser, stack, folder),
    );
    await withStack(['--world', 'azure2017-800'], (stack) => takeRun(browser, stack, folder));
  } finally {
    await browser.close();
  }
}

async function withStack(simulator: string[], work: (stack: TestStack) => Promise<void>): Promise<void> {
  const stack = await startTestStack({
    simulator: [...simulator, '--sample-seconds', '30', '--backfill-minutes', '2'],
    env: { VIGIL_MODEL_MAX_AGE_SECONDS: '60' },
  });
  try {
    await stack.start(['decision-engine']);
    await stack.start(['applier']);
    await work(stack);
  } finally {
    await stack.stop();
  }
}

async function openSignedIn(browser: Browser, { api }: TestStack, dark = false): Promise<Page> {
  const { page } = await openPage(browser, { width: 1280, height: 900, dark });
  await signIn(page, api.url ?? '');
  await waitForPage(page);
  return page;
}

/** Makes a plan and returns its uuid. */
async function plan({ client }: TestStack, audit: object): Promise<string> {
  const body = { audit_type: 'ONESHOT', auto_trigger: false, force: true, ...audit };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  await client.waitForAudit(uuid, limits);
  const [made] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  if (!made) throw new Error('the audit made no plan');
  return made.uuid;
}

/** Takes a picture without the mark of a hovered part. */
async function take(page: Page, path: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
}

const start = ({ client }: TestStack, ident: string) =>
  client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident } }, body: {} });

async function takePlan(browser: Browser, stack: TestStack, folder: string): Promise<void> {
  const page = await openSignedIn(browser, stack);
  const parameters = { thresholds: { instance_cpu_usage: 0.08 } };
  const uuid = await plan(stack, { goal: 'workload_balancing', strategy: 'workload_stabilization', parameters });
  await start(stack, uuid);
  await visit(page, `plans/${uuid}?tab=graph`);
  await page.locator('[data-testid=step][data-state=ONGOING]').first().click();
  await page.getByRole('heading', { name: text('column.reason') }).waitFor();
  await take(page, join(folder, 'plan.png'));
  await visit(page, `plans/${uuid}?tab=map`);
  await waitForPage(page);
  await page.getByRole('slider', { name: text('map.slider') }).press('Home');
  await take(page, join(folder, 'plan-map.png'));
  await page.context().close();
}

async function takeCluster(browser: Browser, stack: TestStack, folder: string): Promise<void> {
  const page = await openSignedIn(browser, stack, true);
  await visit(page, 'cluster');
  await page.getByTestId('map-host').nth(999).waitFor();
  await waitForPage(page);
  await take(page, join(folder, 'cluster.png'));
  await page.context().close();
}

/** Three moments of one map: before, while instances move, and after. */
async function takeRun(browser: Browser, stack: TestStack, folder: string): Promise<void> {
  const terms = { cpu_balance: 'off', hot_spots: 'off' };
  const parameters = { preset: 'balance', max_moves: 50, time_limit: 3, effort: 'best', min_gain: 0, terms };
  const uuid = await plan(stack, { goal: 'placement_optimization', strategy: 'placement_optimizer', parameters });
  const page = await openSignedIn(browser, stack);
  const takeMoment = (moment: string) => take(page, join(folder, `run-${moment}.png`));
  const slider = page.getByRole('slider', { name: text('map.slider') });
  await visit(page, `plans/${uuid}?tab=map&scale=relative`);
  await page.getByTestId('map-host').nth(799).waitFor();
  await slider.press('Home');
  await takeMoment('before');
  await stack.control('/speed', run);
  await start(stack, uuid);
  await page.getByRole('progressbar').and(page.locator('[aria-valuenow]:not([aria-valuenow="0"])')).first().waitFor();
  await stack.control('/speed', still);
  await page.getByRole('button', { name: text('map.soFar') }).click();
  await takeMoment('during');
  await stack.control('/speed', run);
  await stack.client.waitForActionPlan(uuid, limits);
  await page.getByTestId('page-state').getByText('SUCCEEDED').waitFor();
  await slider.press('End');
  await takeMoment('after');
  await page.context().close();
}
