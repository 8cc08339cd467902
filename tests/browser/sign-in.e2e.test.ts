import { createHash } from 'node:crypto';
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { startPrefixProxy } from './prefix-proxy.ts';
import { fillSignIn, signIn } from './sign-in.ts';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

/** Application credential of the user `vigil` in the simulated cloud. Its secret is the password. */
const credentialId = createHash('sha256').update('application-credential/vigil').digest('hex').slice(0, 32);
const federation = 'Company account';

// A proxy reaches the API below a path.
const here = useDashboard({
  env: { VIGIL_WEBSSO: `openid=${federation}`, VIGIL_ENABLE_PROXY_HEADERS: 'true' },
});

test('the sign-in page shows the refusal of Keystone', async () => {
  const { page } = await here.openSignedOut('');
  await fillSignIn(page, 'admin', 'wrong');
  await page.locator('[aria-live]').filter({ hasText: 'Keystone' }).first().waitFor();
  expect(await page.getByRole('button', { name: text('session.signIn') }).isVisible()).toBe(true);
});

test('the sign-in returns to the requested page and keeps its session in an HttpOnly cookie', async () => {
  const { page, context } = await here.openSignedOut('audits?state=FAILED');
  await fillSignIn(page, 'admin');
  await page.getByRole('heading', { level: 1, name: text('page.audits') }).waitFor();
  expect(page.url()).toBe(`${here.api.url}/dashboard/audits?state=FAILED`);
  const cookies = (await context.cookies()).map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }));
  expect(cookies).toEqual([{ httpOnly: true, sameSite: 'Strict' }]);
});

test('the sign-out ends the session in the API', async () => {
  const { page, context } = await here.openSignedOut('');
  await signIn(page, here.api.url ?? '');
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const status = async () => (await fetch(`${here.api.url}/v1/goals`, { headers: { cookie } })).status;
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: text('session.out') }).click();
  await page.getByRole('button', { name: text('session.signIn') }).waitFor();
  expect(await status()).toBe(401);
});

test('a session that the API no longer has leads to the sign-in page with the reason', async () => {
  const { page, context } = await here.openSignedOut('');
  await signIn(page, here.api.url ?? '');
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  await context.clearCookies();
  // The stream reports it, and the page reads its lists again.
  await here.rows.audit();
  await page.getByText(text('session.ended')).waitFor();
});

test('a user without a role sees that the page is closed to them', async () => {
  const { page, context } = await here.openSignedOut('');
  await signIn(page, here.api.url ?? '', 'member');
  await page.getByRole('heading', { name: text('shell.noPermission') }).waitFor();
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  expect((await fetch(`${here.api.url}/v1/goals`, { headers: { cookie } })).status).toBe(403);
});

test('an application credential signs in, and a wrong secret is refused', async () => {
  const { page } = await here.openSignedOut('');
  await page.getByRole('button', { name: text('session.byCredential') }).click();
  await page.getByRole('textbox', { name: text('session.credentialId') }).fill(credentialId);
  const secret = page.getByLabel(text('session.credentialSecret'));
  await secret.fill('wrong');
  await page.getByRole('button', { name: text('session.signIn') }).click();
  await page.locator('[aria-live]').filter({ hasText: 'Keystone' }).first().waitFor();
  await secret.fill('vigil');
  await page.getByRole('button', { name: text('session.signIn') }).click();
  await page
    .getByRole('button', { name: text('session.switchProject', { project: 'service' }) })
    .first()
    .waitFor();
});

test('the federation of Keystone returns to the requested page after the choice of a project', async () => {
  const { page } = await here.openSignedOut('audits?state=FAILED');
  await page.getByRole('button', { name: federation }).click();
  await page.getByRole('link', { name: 'ann' }).click();
  await page.getByRole('heading', { name: text('session.chooseProject') }).waitFor();
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: text('page.audits') }).waitFor();
  expect(page.url()).toBe(`${here.api.url}/dashboard/audits?state=FAILED`);
});

test('a user continues in another of their projects', async () => {
  const { page } = await here.openSignedOut('');
  await page.getByRole('button', { name: federation }).click();
  await page.getByRole('link', { name: 'ann' }).click();
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await page
    .getByRole('button', { name: text('session.switchProject', { project: 'admin' }) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  await page.getByRole('heading', { name: text('shell.noPermission') }).waitFor();
  await page
    .getByRole('button', { name: text('session.switchProject', { project: 'demo' }) })
    .first()
    .waitFor();
});

test('a request of the former session that is refused after a switch of the project leaves the new one open', async () => {
  const { page, context } = await here.openSignedOut('');
  await page.getByRole('button', { name: federation }).click();
  await page.getByRole('link', { name: 'ann' }).click();
  let release = () => {};
  const hasSwitched = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    const former = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    await hasSwitched;
    const response = await route.fetch({ headers: { ...route.request().headers(), cookie: former } });
    await route.fulfill({ response });
  };
  // The new session repeats the request, also after the end of the test.
  await page.route('**/internal/deployment', hold, { times: 1 });
  const held = page.waitForRequest('**/internal/deployment');
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await held;
  const inProject = (project: string) =>
    page.getByRole('button', { name: text('session.switchProject', { project }) }).first();
  await inProject('admin').click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  await inProject('demo').waitFor();
  const isChecked = page.waitForResponse((response) => response.url().endsWith('/dashboard/session'));
  const isRefused = page.waitForResponse((response) => response.status() === 401);
  release();
  await Promise.all([isRefused, isChecked]);
  expect(await inProject('demo').isVisible()).toBe(true);
});

test('the dashboard works below a path of a proxy: sign-in, deep link, navigation and stream', async () => {
  const proxy = await startPrefixProxy('/cloud/vigil', here.api.url ?? '');
  try {
    const { page, context } = await here.openSignedOut('');
    await signIn(page, proxy.url);
    await page.goto(`${proxy.url}/dashboard/audits/new`);
    await page.getByRole('heading', { level: 1, name: text('audits.create') }).waitFor();
    await page.getByRole('link', { name: text('page.plans') }).click();
    await page.waitForURL(`${proxy.url}/dashboard/plans`);
    await page.getByText(text('shell.live'), { exact: true }).waitFor();
    expect((await context.cookies()).map(({ path }) => path)).toContain('/cloud/vigil/');
  } finally {
    await proxy.stop();
  }
});
