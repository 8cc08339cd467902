import { beforeAll, expect, test } from 'vitest';
import { addDeadLetters } from './given-up-work.ts';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

const reason = 'no consumer took it';
const here = useDashboard();
beforeAll(() => addDeadLetters(here.stack.env.VIGIL_DATABASE_URL ?? '', 2, reason));

test('a failed task appears in the list and runs again after a confirmation', async () => {
  const page = await here.open('dead-letters');
  await page.getByText(text('deadLetters.noTasks')).waitFor();
  const uuid = await here.rows.failedTask('no such goal');
  const row = page
    .getByRole('grid', { name: text('page.tasks') })
    .getByRole('row')
    .filter({ hasText: 'no such goal' });
  await row.getByRole('button', { name: text('tasks.again') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('tasks.again') })
    .click();
  await page.getByText(text('tasks.willRun')).waitFor();
  await row.waitFor({ state: 'detached' });
  expect((await here.store.db.tasks.get(uuid)).state).toBe('QUEUED');
});

test('a dead letter shows its reason and is discarded after a confirmation that shows it', async () => {
  const page = await here.open('dead-letters?tab=messages');
  const rows = page
    .getByRole('grid', { name: text('deadLetters.messages') })
    .getByRole('row')
    .filter({ hasText: reason });
  await expect.poll(() => rows.count()).toBe(2);
  await rows
    .first()
    .getByRole('button', { name: text('deadLetters.discard') })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('plan.launch/1').waitFor();
  await dialog.getByRole('button', { name: text('deadLetters.discard') }).click();
  await expect.poll(() => rows.count()).toBe(1);
});

test('the navigation counts failed tasks and dead letters', async () => {
  await here.rows.failedTask('no such goal');
  const page = await here.open('overview');
  const entry = page.getByRole('link', { name: text('page.deadLetters') });
  await entry.getByText(text('shell.failedWork')).waitFor({ state: 'attached' });
  expect(await entry.innerText()).toMatch(/[1-9]/);
});
