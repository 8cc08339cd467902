import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { startPrefixProxy } from './prefix-proxy.ts';
import { screenshots, takePicture } from './screenshot.ts';
import { signIn } from './sign-in.ts';

/** The simulated cloud's, of the user `vigil`. Its secret is the password. */
const credentialId = createHash('sha256').update('application-credential/vigil').digest('hex').slice(0, 32);

/** Ways into the dashboard and out of it. The first test signs `here.window` in. */
export function describeSignIn(here: DashboardStack): void {
  describe('signing in', () => {
    test('signs in, and is told when Keystone refuses', async () => {
      const { page } = here.window;
      await page.goto(`${here.api.url}/dashboard/audits`);
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Password').fill('wrong');
      await page.locator('#sign-in-project').fill('admin');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Keystone refuses').waitFor();
      await signIn(page, here.api.url ?? '');
      const cookies = await here.window.context.cookies();
      expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
        { httpOnly: true, sameSite: 'Strict' },
      ]);
    });

    test('below a path of a proxy: deep links, sign-in, and the stream', async () => {
      const proxy = await startPrefixProxy('/cloud/vigil', here.api.url ?? '');
      const { page, context, problems } = await openPage(here.browser, { width: 1280, height: 900 });
      await signIn(page, proxy.url);
      await page.goto(`${proxy.url}/dashboard/audits/new`);
      await page.getByRole('heading', { level: 1, name: 'Create audit' }).waitFor();
      await page.getByRole('link', { name: 'Cluster' }).click();
      await page.waitForURL(`${proxy.url}/dashboard/cluster`);
      await page.locator('.vigil-map-cell').first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      expect((await context.cookies()).map(({ path }) => path)).toEqual(['/cloud/vigil/']);
      expect(problems).toEqual([]);
      await context.close();
      await proxy.stop();
    });

    test('by an application credential, and at Keystone’s federation: in one of several projects, and on in another', async () => {
      const { page, context, problems } = await openPage(here.browser, { width: 1280, height: 900 });
      await page.goto(`${here.api.url}/dashboard/`);
      await page.getByRole('button', { name: 'Application credential' }).click();
      await page.getByLabel('Application credential ID').fill(credentialId);
      await page.getByLabel('Secret').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Keystone refuses the application credential').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await page.getByLabel('Secret').fill('vigil');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('vigil', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      // Leaving the page takes back a request that is under way.
      const company = page.getByRole('button', { name: 'Company account' });
      await company.waitFor();

      // Back where one was, by way of the identity provider and Keystone's page.
      await page.goto(`${here.api.url}/dashboard/audits?state=FAILED`);
      await company.click();
      await page.getByRole('link', { name: 'ann' }).click();
      await page.getByRole('heading', { name: 'Choose a project' }).waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'admin', exact: true }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      expect(page.url()).toBe(`${here.api.url}/dashboard/audits?state=FAILED`);
      await page.getByRole('button', { name: 'Project admin: choose another' }).first().click();
      await page.getByRole('menuitem', { name: 'demo' }).click();
      await page.getByRole('heading', { name: 'You have no permission here' }).waitFor();
      await page.getByRole('button', { name: 'Project demo: choose another' }).first().waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Password').waitFor();
      expect(problems).toEqual([]);
      await context.close();
    });

    test('a user without permission is told so, and signing out ends the session', async () => {
      const { page, context } = await openPage(here.browser, { width: 1280, height: 900 });
      await signIn(page, here.api.url ?? '', 'member');
      await page.getByRole('heading', { name: 'You have no permission here' }).waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await takePicture(page, join(screenshots, 'no-permission-light-1280.png'));
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      expect((await fetch(`${here.api.url}/v1/goals`, { headers: { cookie } })).status).toBe(403);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Password').waitFor();
      await takePicture(page, join(screenshots, 'sign-in-light-1280.png'));
      expect((await fetch(`${here.api.url}/v1/goals`, { headers: { cookie } })).status).toBe(401);
      await context.close();
    });
  });
}
