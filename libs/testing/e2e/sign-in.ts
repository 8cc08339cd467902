import type { Page } from 'playwright-core';

/** Signs in as the administrator of the simulated cloud. */
export async function signIn(page: Page, apiUrl: string): Promise<void> {
  await page.goto(`${apiUrl}/dashboard/`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('vigil');
  await page.getByLabel('Project', { exact: false }).first().fill('admin');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
}
