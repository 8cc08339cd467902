import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Rules, seriousProblems } from './accessibility.ts';
import { cutOff, desk, phone } from './both-widths.ts';
import { openPage } from './browser.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import { pages, pagesOfPlan } from './every-page.ts';
import { oddTexts } from './odd-texts.ts';
import { screenshots, takeWhole } from './screenshot.ts';
import { visit } from './visit.ts';
import { waitForPage } from './wait-for-page.ts';

/** The root of a page in either theme. */
const dark = 'html.pf-v6-theme-dark';
const light = 'html:not(.pf-v6-theme-dark)';

interface Walk {
  theme: 'light' | 'dark';
  /** Of the window in which the pages are reached. */
  size: typeof desk;
  skewMinutes: number;
}

/** Goes through all pages in either theme, in the dark one at two widths. */
export function describeWalk(here: DashboardStack): void {
  describe('every page', () => {
    // One clock goes before, the other after: everything counts from the server's time.
    test.each<Walk>([
      { theme: 'light', size: desk, skewMinutes: 10 },
      { theme: 'dark', size: phone, skewMinutes: -10 },
    ])(
      'every page, $theme, from $size.width px: nothing serious for axe, nothing broken',
      async ({ theme, size, skewMinutes }) => {
        const isNarrow = size === phone;
        const viewer = await openPage(here.window.context, { ...size, dark: theme === 'dark', skewMinutes });
        const { page } = viewer;
        await page.goto(`${here.api.url}/dashboard/`);
        await page.getByText('Live', { exact: true }).waitFor();
        await page.locator(theme === 'dark' ? dark : light).waitFor();
        const found: string[] = [];
        for (const path of [...pages, ...(await pagesOfPlan(here))]) {
          await visit(page, path);
          await waitForPage(page);
          found.push(...(await oddTexts(page)).map((text) => `${path}: ${text}`));
          const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/[/?=&]/g, '-');
          const look = async (about: Rules) => {
            const width = page.viewportSize()?.width;
            await takeWhole(page, join(screenshots, `${name}-${theme}-${width}.png`));
            const problems = await seriousProblems(page, about);
            found.push(...problems.map((problem) => `${path}, ${theme}, ${width} px: ${problem}`));
          };
          // What a narrow page leaves out or stacks has the colours that the wide one has, where they are checked
          // below.
          await look(isNarrow ? 'structure' : 'all');
          found.push(...(await cutOff(page)).map((problem) => `${path}: ${problem}`));
          if (!isNarrow) continue;
          // The themes differ in their colours alone. A change of the width costs little. A change of the theme is
          // drawn for a quarter of a second.
          await page.setViewportSize(desk);
          await look('colours');
          await page.setViewportSize(phone);
        }
        // What is searched for is found from everywhere, on a phone too.
        await page.getByRole('button', { name: 'Find a host or an instance' }).waitFor();
        if (isNarrow) {
          await page
            .getByRole('navigation', { name: 'Pages of instances, below' })
            .getByLabel('Go to next page')
            .click();
          await page.getByText('21 - ').first().waitFor();
        }
        expect([...found, ...viewer.problems]).toEqual([]);
        // An open page follows the computer's theme.
        await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
        await page.locator(theme === 'dark' ? light : dark).waitFor();
        await page.close();
      },
      360_000,
    );
  });
}
