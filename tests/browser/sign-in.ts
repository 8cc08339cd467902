import type { Page } from 'playwright-core';

/** Signs in as a user of the simulated cloud, the administrator unless another is named. */
export async function signIn(page: Page, apiUrl: string, user = 'admin'): Promise<void> {
  await page.goto(`${apiUrl}/dashboard/`);
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill('vigil');
  await page.locator('#sign-in-project').fill(user === 'admin' ? 'admin' : 'demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(user === 'admin' ? 'Live' : 'Sign out', { exact: true }).waitFor();
}
