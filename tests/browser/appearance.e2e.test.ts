import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { deSentences } from '../../services/dashboard/texts/de/sentences.ts';
import { sentenceReader } from '../../services/dashboard/texts/sentence-forms.ts';
import { type ExamplePaths, everyPage, fillDashboard } from './example-cloud.ts';
import { englishTexts, oddTexts } from './odd-texts.ts';
import { inGerman, like, text } from './texts.ts';
import { phone, useDashboard } from './use-dashboard.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

const here = useDashboard({ services: ['decision-engine', 'scheduler'] });
let paths: ExamplePaths;
beforeAll(async () => {
  paths = await fillDashboard(here);
});

const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');
/** Brightness of the title, from 0 to 255. */
const brightness = (page: Page) =>
  page.evaluate<number>(`Number(/\\d+/.exec(getComputedStyle(document.querySelector('h1')).color)?.[0])`);

/** Stores German as the chosen language before the page loads. */
const inGermanPage = (page: Page) => page.addInitScript("localStorage.setItem('vigil-language', 'de')");

test('a chosen theme is kept for the next visit', async () => {
  const page = await here.open('goals');
  const light = await brightness(page);
  await page.getByRole('button', { name: text('shell.useDark') }).click();
  await page.getByRole('button', { name: text('shell.useLight') }).waitFor();
  await page.reload();
  await waitForPage(page);
  await page.getByRole('button', { name: text('shell.useLight') }).waitFor();
  expect(await brightness(page)).toBeGreaterThan(light);
});

test('an open page follows the theme of the computer', async () => {
  const page = await here.open('goals');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: text('shell.useLight') }).waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: text('shell.useDark') }).waitFor();
});

test('a chosen language is kept for the next visit', async () => {
  const page = await here.open('audits');
  await page.getByRole('button', { name: new RegExp(`${text('shell.language')}: English`) }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: inGerman('session.out') }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: inGerman('session.out') }).waitFor();
  expect(await languageOf(page)).toBe('de');
  await page.getByRole('button', { name: new RegExp(`${inGerman('shell.language')}: Deutsch`) }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('button', { name: text('session.out') }).waitFor();
});

test('a phone shows a page in German without scrolling sideways', async () => {
  const page = await here.open('goals', { prepare: inGermanPage, ...phone });
  await page.getByRole('button', { name: inGerman('session.out') }).waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(phone.width);
});

test('a German page translates the sentence of a report', async () => {
  const { client } = here.stack;
  const aim = { goal: 'workload_balancing', strategy: 'workload_balance', parameters: { threshold: 99 } };
  const body = { name: 'example-balance', audit_type: 'ONESHOT', auto_trigger: false, force: true, ...aim };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 60_000 });
  const report = await dataOf(client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: uuid } } }));
  const sentence = report.report?.empty_because ?? '';
  const german = sentenceReader(deSentences, 'de')(sentence);
  expect(german, sentence).toBeDefined();
  const page = await here.open(`audits/${uuid}`, { prepare: inGermanPage });
  await page
    .getByText(german ?? '')
    .first()
    .waitFor();
});

test('no page in German has an English or an impossible text', async () => {
  const { client } = here.stack;
  const plugins = [...(await client.list('goals')), ...(await client.list('strategies'))];
  const names = plugins.map(({ display_name: name }) => name).sort((left, right) => right.length - left.length);
  const page = await here.open('overview', { prepare: inGermanPage });
  const found: string[] = [];
  for (const path of everyPage(paths)) {
    await visit(page, path);
    await waitForPage(page);
    const texts = [...(await oddTexts(page)), ...(await englishTexts(page, names))];
    found.push(...texts.map((words) => `${path}: ${words}`));
  }
  expect(found).toEqual([]);
}, 360_000);

test.each([
  ['the search', 'overview', 'find.button'],
  ['a rule', 'rules', 'rules.create'],
  ['a template', 'templates', 'templates.create'],
  ['a service', 'services', 'services.restart'],
  ['a failed task', 'dead-letters', 'tasks.again'],
] as const)('the dialog of %s is in German', async (_name, path, button) => {
  const page = await here.open(path, { prepare: inGermanPage });
  await page
    .getByRole('button', { name: inGerman(button), exact: true })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  expect([...(await oddTexts(page)), ...(await englishTexts(page, []))]).toEqual([]);
});

test('the navigation of a phone is behind a button, names the user and closes after a choice', async () => {
  const page = await here.open('overview', phone);
  const toggle = page.getByRole('button', { name: text('shell.navigation') });
  const isOpen = () => toggle.getAttribute('aria-expanded');
  await expect.poll(isOpen).toBe('false');
  await toggle.click();
  await expect.poll(isOpen).toBe('true');
  await page
    .getByText(like('shell.identity', { user: 'admin' }))
    .last()
    .waitFor();
  await page.getByRole('link', { name: text('page.audits'), exact: true }).click();
  await page.getByRole('heading', { level: 1, name: text('page.audits') }).waitFor();
  await expect.poll(isOpen).toBe('false');
});

test('a phone pages through a table below it and opens the search', async () => {
  const page = await here.open(paths.host, phone);
  await page
    .getByRole('navigation', { name: text('table.pagesBelow', { list: 'instances' }) })
    .getByRole('button', { name: text('paging.next') })
    .click();
  await page
    .getByText(like('paging.range', { first: 21 }))
    .first()
    .waitFor();
  await page.getByRole('button', { name: text('find.button') }).click();
  await page.getByRole('combobox', { name: text('find.label') }).waitFor();
});
