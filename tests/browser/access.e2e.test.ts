import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fixedPages, planTabs } from './example-cloud.ts';
import { fillSignIn } from './sign-in.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine'] });

/** Rules that let the role `reader` do these. Default: read everything but the operation of Vigil. */
function readersPolicy(only?: readonly string[]): string {
  const resources = 'goal strategy audit_template audit action_plan action scoring_engine service'.split(' ');
  const rules = resources.flatMap((resource) => ['get', 'get_all', 'detail'].map((verb) => `${resource}:${verb}`));
  const allowed = only ?? [...rules, 'strategy:state', 'data_model:get_all'];
  const folder = mkdtempSync(join(tmpdir(), 'vigil-policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'policy.json');
  writeFileSync(path, JSON.stringify(Object.fromEntries(allowed.map((rule) => [rule, 'role:reader']))));
  return path;
}

/** Starts a separate API for a test, and opens its dashboard as the reader. */
async function openAsReader(env: NodeJS.ProcessEnv, only?: readonly string[]) {
  const api = await here.stack.start(['api'], { VIGIL_POLICY_FILE: readersPolicy(only), ...env });
  onTestFinished(async () => void (await api.stop()));
  const watched = await here.openSignedOut('');
  const refused: string[] = [];
  watched.page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await watched.page.goto(`${api.url}/dashboard/`);
  await fillSignIn(watched.page, 'reader');
  const seen = only?.length === 0 ? text('shell.noPermission') : text('shell.live');
  await watched.page.getByText(seen, { exact: true }).waitFor();
  return { page: watched.page, refused };
}

test('a reader opens every page without a refused request', async () => {
  const { plan, audit } = await here.rows.plan();
  const { page, refused } = await openAsReader({});
  const tabs = planTabs.map((tab) => `plans/${plan.uuid}?tab=${tab}`);
  for (const path of [...fixedPages, ...tabs, `audits/${audit.uuid}`]) {
    await visit(page, path);
    await waitForPage(page);
  }
  expect(refused).toEqual([]);
}, 360_000);

test('a reader without any permission sees why, without a refused request', async () => {
  const { page, refused } = await openAsReader({}, []);
  await page.getByText(like('shell.noPermissionHint', {})).waitFor();
  await page.getByRole('button', { name: text('session.out') }).waitFor();
  expect(refused).toEqual([]);
});

test('an unknown page leads back to the overview', async () => {
  const { page } = await openAsReader({});
  await page.goto(new URL('no/such_page', page.url().replace(/dashboard\/.*/, 'dashboard/')).href);
  await page.getByRole('heading', { name: text('shell.noSuchPage') }).waitFor();
  await page.getByText('/no/such_page').waitFor();
  await page.getByRole('link', { name: text('shell.toOverview') }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/overview');
});

test('a reader sees no button that changes a plan', async () => {
  const { plan } = await here.rows.plan();
  const { page } = await openAsReader({});
  await visit(page, `plans/${plan.uuid}?tab=actions`);
  await page.getByRole('grid', { name: text('column.actions') }).waitFor();
  for (const key of ['plan.start', 'do.cancel', 'do.delete', 'plan.skipChosen'] as const)
    expect(await page.getByRole('button', { name: text(key), exact: true }).count(), key).toBe(0);
});

test('an idle session is extended by the dialog that warns before its end', async () => {
  const { page } = await openAsReader({ VIGIL_SESSION_IDLE_SECONDS: '30' });
  const dialog = page.getByRole('dialog', { name: text('session.idleTitle') });
  await dialog.waitFor();
  const read = page.waitForResponse((response) => response.url().endsWith('/dashboard/session'));
  await dialog.getByRole('button', { name: text('session.stay') }).click();
  expect((await read).status()).toBe(200);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: text('session.out') }).waitFor();
});
