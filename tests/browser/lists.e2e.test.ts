import { expect, test } from 'vitest';
import { seriousProblems } from './accessibility.ts';
import { pageFaults } from './page-faults.ts';
import { like, text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';

const here = useDashboard();

test('the list of audits shows an audit that another client has inserted', async () => {
  const page = await here.open('audits');
  const { name } = await here.rows.audit({ state: 'FAILED' });
  await page
    .getByRole('grid', { name: text('page.audits') })
    .getByRole('link', { name })
    .waitFor();
});

test('the list of plans follows the state of a plan', async () => {
  const { plan, audit } = await here.rows.plan();
  const page = await here.open('plans');
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: audit.name }) });
  await row.getByText('RECOMMENDED', { exact: true }).waitFor();
  await here.store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  await row.getByText('CANCELLED', { exact: true }).waitFor();
});

test('only plans that have started show their progress', async () => {
  const proposed = await here.rows.plan();
  const running = await here.rows.plan({ plan: { state: 'ONGOING' } });
  const page = await here.open('plans');
  const barsOf = ({ plan }: typeof running) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: plan.uuid.slice(0, 8) }) })
      .getByRole('progressbar');
  await barsOf(running).waitFor();
  expect(await barsOf(proposed).count()).toBe(0);
});

test('only an audit that repeats shows its schedule', async () => {
  const once = await here.rows.audit();
  const repeated = await here.rows.audit({ auditType: 'CONTINUOUS', interval: '3600', state: 'ONGOING' });
  const page = await here.open(`audits/${repeated.uuid}`);
  const schedule = page.getByRole('term').filter({ hasText: text('field.schedule') });
  await schedule.waitFor();
  await visit(page, `audits/${once.uuid}`);
  await page.getByRole('heading', { name: once.name }).waitFor();
  await page
    .getByRole('term')
    .filter({ hasText: text('column.scope') })
    .waitFor();
  expect(await schedule.count()).toBe(0);
});

test('the filter of a list is in the URL and survives a reload', async () => {
  const failed = await here.rows.audit({ state: 'FAILED' });
  const open = await here.rows.audit();
  const page = await here.open('audits');
  await page.getByRole('link', { name: open.name }).waitFor();
  await page.getByRole('combobox', { name: text('column.state') }).selectOption('FAILED');
  await page.getByRole('link', { name: open.name }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('link', { name: failed.name }).waitFor();
  expect(await page.getByRole('link', { name: open.name }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?state=FAILED');
});

test('the search of a list is one step of the history', async () => {
  const wanted = await here.rows.audit();
  const other = await here.rows.audit();
  const page = await here.open('audits');
  const search = page.getByRole('textbox', { name: like('table.searchFor') });
  await search.fill(wanted.name);
  await page.getByRole('link', { name: other.name }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: wanted.name }).waitFor();
  await page.waitForURL(/search=/);
  await page.goBack();
  await page.getByRole('link', { name: other.name }).waitFor();
  expect(await search.inputValue()).toBe('');
});

test('letters that are typed while a search enters the URL stay', async () => {
  await here.rows.audit();
  const page = await here.open('audits');
  const search = page.getByRole('textbox', { name: like('table.searchFor') });
  // The router shows a new URL only after this call.
  await page.evaluate(`{
    const write = history.pushState.bind(history);
    history.pushState = (...args) => {
      write(...args);
      history.pushState = write;
      const input = document.activeElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, 'first second');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }`);
  await search.fill('first');
  await page.waitForURL(/search=first\+second/);
  expect(await search.inputValue()).toBe('first second');
});

test('the order and the page of a list are in the URL', async () => {
  for (let place = 0; place < 22; place += 1) await here.rows.template(`sorted ${String(place).padStart(2, '0')}`);
  const page = await here.open('templates?search=sorted');
  const names = page
    .getByRole('grid', { name: text('page.templates') })
    .getByRole('row')
    .getByText(/^sorted \d\d$/);
  await expect.poll(() => names.first().textContent()).toBe('sorted 00');
  await page.getByRole('button', { name: text('column.name'), exact: true }).click();
  await expect.poll(() => names.first().textContent()).toBe('sorted 21');
  await page
    .getByRole('button', { name: text('paging.next') })
    .first()
    .click();
  await expect.poll(() => names.allTextContents()).toEqual(['sorted 01', 'sorted 00']);
  expect(new URL(page.url()).search).toBe('?search=sorted&sort=-name&page=2');
  await page.reload();
  await expect.poll(() => names.allTextContents()).toEqual(['sorted 01', 'sorted 00']);
  await page.goBack();
  await expect.poll(() => names.first().textContent()).toBe('sorted 21');
});

test('chosen audits are cancelled together', async () => {
  const audits = [await here.rows.audit(), await here.rows.audit()];
  const page = await here.open('audits');
  for (const { name } of audits) await page.getByRole('checkbox', { name: text('table.chooseOne', { name }) }).check();
  const label = text('bulk.label', { label: text('do.cancel'), count: 2 });
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
  const states = () => Promise.all(audits.map(async ({ uuid }) => (await here.store.db.audits.get(uuid)).state));
  await expect.poll(states).toEqual(['CANCELLED', 'CANCELLED']);
});

test('names with markup are shown as they are', async () => {
  const name = '<img src=x onerror="document.title=\'broken in\'"><b>bold</b>';
  const { plan, audit } = await here.rows.plan({
    audit: { name: `${name} audit`, statusMessage: name },
    plan: { state: 'FAILED', statusMessage: name },
    action: () => ({ inputParameters: { resource_id: 'x', resource_name: name, migration_type: 'live' } }),
  });
  await here.rows.template(name);
  await here.rows.rule(name, name);
  const page = await here.open('overview');
  for (const path of [
    'audits',
    'plans',
    'templates',
    'rules',
    `audits/${audit.uuid}`,
    `plans/${plan.uuid}`,
    `plans/${plan.uuid}?tab=graph`,
    `plans/${plan.uuid}?tab=actions`,
    'overview',
  ]) {
    await visit(page, path);
    await page.getByText(name.slice(0, 12)).first().waitFor();
    expect(await page.locator('img[src=x], main b').count(), path).toBe(0);
  }
  expect(await page.title()).not.toContain('broken in');
});

test('a template is deleted after a confirmation that names it', async () => {
  const { uuid, name } = await here.rows.template('short-lived');
  const page = await here.open('templates?search=short-lived');
  await page.getByRole('button', { name: text('do.delete') }).click();
  const dialog = page.getByRole('dialog', { name: text('templates.deleteTitle', { name }) });
  await dialog.waitFor();
  expect(await here.store.db.auditTemplates.find(uuid)).not.toBeNull();
  await dialog.getByRole('button', { name: text('do.delete') }).click();
  await page.getByText(text('templates.deleted')).waitFor();
  expect(await here.store.db.auditTemplates.find(uuid)).toBeNull();
});

test('a refused confirmation changes nothing', async () => {
  const { uuid } = await here.rows.audit();
  const page = await here.open(`audits/${uuid}`);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  await page.getByRole('button', { name: text('do.cancel') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('dialog.keep') })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(sent).toEqual([]);
  expect((await here.store.db.audits.get(uuid)).state).toBe('PENDING');
});

test('a cancelled audit is deleted, and its page reports that it does not exist', async () => {
  const { uuid } = await here.rows.audit();
  const page = await here.open(`audits/${uuid}`);
  const confirm = async (key: 'do.cancel' | 'do.delete') => {
    await page.getByRole('button', { name: text(key) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text(key) })
      .click();
  };
  await confirm('do.cancel');
  await page.getByTestId('page-state').getByText('CANCELLED').waitFor();
  await confirm('do.delete');
  await page.getByRole('heading', { name: text('audit.unknown') }).waitFor();
});

test('an opened strategy is in the URL and survives a reload', async () => {
  const { strategyId } = await here.rows.audit();
  const [strategy] = (await here.store.db.strategies.list()).filter(({ id }) => id === strategyId);
  const page = await here.open('goals');
  const section = page.getByRole('button', { name: strategy?.displayName ?? '' });
  await section.click();
  await expect.poll(() => section.getAttribute('aria-expanded')).toBe('true');
  await page.reload();
  await expect.poll(() => section.getAttribute('aria-expanded')).toBe('true');
});

test('an entry of the audit log opens the old and new values of a rule', async () => {
  const { client } = here.stack;
  const rule = { name: 'kept in the log', kind: 'avoid_hosts', instances: { names: ['*'] }, hosts: { names: ['a'] } };
  const { uuid } = await client.internal<{ uuid: string }>('POST', '/placement-rules', rule);
  await client.internal('PATCH', `/placement-rules/${uuid}`, { hosts: { names: ['a', 'b'] } });
  const page = await here.open(`audit-log?target=${uuid}&method=PATCH`);
  const values = page.getByRole('grid', { name: text('log.changedValues') });
  expect(await values.count()).toBe(0);
  await page.getByRole('button', { name: text('log.values', { count: 1 }) }).click();
  await expect.poll(() => values.getByRole('gridcell').allTextContents()).toEqual([text('column.hosts'), 'a', 'a, b']);
  expect([...(await seriousProblems(page)), ...(await pageFaults(page))]).toEqual([]);
});
