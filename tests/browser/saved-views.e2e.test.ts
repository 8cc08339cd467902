import { expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { text } from './texts.ts';
import { phone, useDashboard } from './use-dashboard.ts';

const here = useDashboard();

test('a view is saved, opened, renamed and deleted by keyboard, on a phone', async () => {
  await here.rows.plan({ plan: { state: 'FAILED' } });
  const page = await here.open('plans?state=FAILED&sort=-created', phone);
  const menu = page.getByRole('button', { name: text('views.title'), exact: true });
  const choose = async (name: string) => {
    await menu.press('Enter');
    await page.getByRole('menuitem', { name }).press('Enter');
  };
  // The code that places menus is loaded with the first one.
  await menu.press('Enter');
  const item = page.getByRole('menuitem', { name: text('views.save') });
  await expect.poll(async () => (await item.boundingBox())?.y).toBeGreaterThan((await menu.boundingBox())?.y ?? 0);
  await expect.poll(() => page.evaluate("document.querySelector('[data-popper-placement]')?.style.clipPath")).toBe('');
  await item.press('Enter');
  const name = page.getByRole('dialog').getByRole('textbox', { name: text('column.name') });
  await name.fill('Failed lately');
  await name.press('Enter');
  await page.goto(`${here.api.url}/dashboard/plans`);
  await choose('Failed lately');
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('FAILED');

  await choose(text('views.manage'));
  const dialog = page.getByRole('dialog');
  const link = dialog.getByRole('textbox', { name: text('views.linkOf', { name: 'Failed lately' }) });
  expect(await link.inputValue()).toMatch(/\/dashboard\/plans\?.*state=FAILED/);
  expect(await seriousProblems(page, 'structure', '[role=dialog]')).toEqual([]);
  const renamed = dialog.getByRole('textbox', { name: text('views.nameOf', { name: 'Failed lately' }) });
  await renamed.fill('Failed');
  await renamed.press('Enter');
  await dialog.getByRole('button', { name: text('views.deleteOne', { name: 'Failed' }) }).press('Enter');
  await dialog.getByText(text('views.none')).waitFor();
  await page.keyboard.press('Escape');
  await menu.press('Enter');
  expect(await page.getByRole('menuitem', { name: 'Failed' }).count()).toBe(0);
});
