import { expect, test } from 'vitest';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

const here = useDashboard();

const restart = async () => {
  const port = new URL(here.api.url ?? '').port;
  here.api = await here.stack.start(['api'], { VIGIL_PORT: port });
};

test('a page opens one stream, however many pages follow', async () => {
  const { page, streams } = await here.watch('overview');
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  for (const key of ['page.audits', 'page.plans', 'page.overview'] as const) {
    await page
      .getByRole('link', { name: text(key), exact: true })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: text(key) }).waitFor();
  }
  expect(streams).toHaveLength(1);
});

test('a page shows a lost connection and follows again after a restart of the API', async () => {
  const { plan } = await here.rows.plan();
  const page = await here.open(`plans/${plan.uuid}`);
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  await here.api.kill();
  await page.getByText(text('shell.reconnectingHint')).waitFor();
  await here.store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  await restart();
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  await page.getByText(text('shell.reconnectingHint')).waitFor({ state: 'detached' });
  await page.getByTestId('page-state').getByText('CANCELLED').waitFor();
});

test('a dialog stays open above an ended audit when the stream starts over', async () => {
  const { uuid } = await here.rows.audit({ state: 'SUCCEEDED' });
  const page = await here.open(`audits/${uuid}`);
  await page.getByText(text('shell.live'), { exact: true }).waitFor();
  await page.getByRole('button', { name: text('do.delete') }).click();
  const dialog = page.getByRole('dialog', { name: text('audit.confirmDelete') });
  await dialog.waitFor();
  // The change log does not reach back to this position: the stream sends the full state, which has open entities only.
  await page.route(/\/v1\/watch\?/, async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.has('since')) url.searchParams.set('since', '0:1');
    await route.continue({ url: url.href });
  });
  const isRead = page.waitForResponse((response) => response.url().endsWith(`/v1/audits/${uuid}`));
  await here.api.kill();
  await restart();
  await isRead;
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('an open confirmation reports that its row was deleted by another user', async () => {
  const { id, name } = await here.rows.template('deleted elsewhere');
  const page = await here.open('templates');
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: text('do.delete') })
    .click();
  const title = text('templates.deleteTitle', { name });
  await page.getByRole('dialog', { name: title }).waitFor();
  await here.stack.sql('UPDATE audit_templates SET deleted = id, deleted_at = now() WHERE id = $1', [id]);
  await page.getByText(text('outOfDate.closed', { title })).waitFor();
});
