import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { text } from './texts.ts';

/** Fills the form of the sign-in page and submits it. */
export async function fillSignIn(page: Page, user: string, password = 'vigil'): Promise<void> {
  const field = (key: 'session.user' | 'session.password' | 'session.project') =>
    page.getByRole('textbox', { name: text(key), exact: true });
  await field('session.user').fill(user);
  await page.locator('input[type=password]').fill(password);
  await field('session.project').fill(user === 'admin' ? 'admin' : 'demo');
  await page.getByRole('button', { name: text('session.signIn') }).click();
}

/** Signs in as a user of the simulated cloud, by default the administrator, and waits for the first page. */
export async function signIn(page: Page, apiUrl: string, user = 'admin'): Promise<void> {
  await page.goto(`${apiUrl}/dashboard/`);
  await fillSignIn(page, user);
  await page.getByRole('button', { name: text('session.out') }).waitFor();
}

/** A session of the administrator, for pages that start signed in. */
export async function sessionOf(browser: Browser, apiUrl: string): Promise<BrowserContextOptions['storageState']> {
  const context = await browser.newContext();
  const form = {
    user: 'admin',
    user_domain: 'Default',
    password: 'vigil',
    project: 'admin',
    project_domain: 'Default',
  };
  const response = await context.request.post(`${apiUrl}/dashboard/session`, {
    headers: { 'X-Vigil-Dashboard': '1', Origin: new URL(apiUrl).origin },
    data: form,
  });
  if (response.status() !== 201) throw new Error(`sign-in failed: HTTP ${response.status()} ${await response.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}
