import { expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

// No process executes plans: a state changes only when the page or the test changes it.
const here = useDashboard();

test('users write comments on a plan, which other pages show at once, and the report too', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  const other = await here.open(`plans/${plan.uuid}`);
  await page.getByText(text('comments.none')).waitFor();
  const field = page.getByRole('textbox', { name: text('comments.field') });
  const write = page.getByRole('button', { name: text('comments.write') });
  expect(await write.isDisabled()).toBe(true);
  await field.fill('db-7 moves after the backup\nagreed with storage');
  await write.focus();
  await page.keyboard.press('Enter');
  for (const shown of [page, other])
    await shown.getByTestId('plan-comments').getByText('db-7 moves after the backup').waitFor();
  expect(await field.inputValue()).toBe('');
  const author = { userId: 'id-sam', userName: 'sam', projectId: null, projectName: null };
  const uuid = crypto.randomUUID();
  await here.store.transaction((unit) => unit.planComments.add(plan.id, { uuid, text: 'seen <b>twice</b>', author }));
  await page.getByTestId('plan-comments').getByText('seen <b>twice</b>').waitFor();
  expect(await page.getByTestId('plan-comments').locator('strong').allInnerTexts()).toEqual(['admin', 'sam']);
  expect(await seriousProblems(page, 'structure')).toEqual([]);
  const report = await here.open(`plans/${plan.uuid}/report`);
  await report.getByTestId('plan-comments').getByText('agreed with storage').waitFor();
  expect(await report.getByRole('textbox', { name: text('comments.field') }).count()).toBe(0);
});
