import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { DashboardStack } from './dashboard-stack.ts';
import { englishTexts, oddTexts } from './odd-texts.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** Pages, and on some a button whose dialog is read as well. */
const read: readonly (readonly [path: string, dialog?: string])[] = [
  ['overview', 'Host oder Instanz suchen'],
  ['cluster'],
  ['rules', 'Regel erstellen'],
  ['goals?strategy=workload_stabilization'],
  ['templates', 'Vorlage erstellen'],
  ['audits'],
  ['plans'],
  ['trends'],
  ['services', 'Neu starten'],
  ['tasks?tab=schedules'],
  ['dead-letters', 'Noch einmal ausführen'],
  ['audit-log'],
  ['audits/new?strategy=workload_stabilization&step=parameters'],
];

/** Reads pages in German: the language is chosen as people do it, and English again at the end. */
export function describeGerman(here: DashboardStack): void {
  describe('in German', () => {
    test('is chosen and kept; no page has an odd text, or one that was left in English', async () => {
      const { page } = here.window;
      const { client } = here.stack;
      const [plan] = await client.list('action_plans');
      const [audit] = await client.list('audits');
      const plugins = [...(await client.list('goals')), ...(await client.list('strategies'))];
      const names = plugins.map(({ display_name: name }) => name).sort((left, right) => right.length - left.length);
      await visit(page, 'overview');
      await chooseLanguage(page, 'Language: English', 'Deutsch');
      await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Aktionspläne' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Abmelden' }).waitFor();
      const found: string[] = [];
      const look = async (where: string) => {
        const texts = [...(await oddTexts(page)), ...(await englishTexts(page, names))];
        found.push(...texts.map((text) => `${where}: ${text}`));
      };
      const tabs = ['run', 'actions', 'hosts', 'outcome'].map((tab) => [`plans/${plan?.uuid}?tab=${tab}`] as const);
      for (const [path, dialog] of [...read, ...tabs, [`audits/${audit?.uuid}`] as const]) {
        await visit(page, path);
        await waitForPage(page);
        await look(path);
        if (dialog === undefined) continue;
        await page.getByRole('button', { name: dialog, exact: true }).first().click();
        await page.getByRole('dialog').waitFor();
        await look(`${path}, ${dialog}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await chooseLanguage(page, 'Sprache: Deutsch', 'English');
      expect(found).toEqual([]);
    }, 360_000);
  });
}

async function chooseLanguage(page: Page, switcher: string, language: string): Promise<void> {
  await page.getByRole('button', { name: switcher }).click();
  await page.getByRole('menuitem', { name: language }).click();
  await page.locator(`html[lang=${language === 'Deutsch' ? 'de' : 'en'}]`).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
}
