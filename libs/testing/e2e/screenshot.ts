import type { Page } from 'playwright-core';

const tallest = 3000;

/** Takes a picture of the whole page: of what its main part would show if the window were high enough. */
export async function takeWhole(page: Page, path: string): Promise<void> {
  const before = page.viewportSize();
  if (!before) return;
  const hidden = Number(
    await page.evaluate(
      "Math.max(0, ...[...document.querySelectorAll('main, .pf-v6-c-page__main-container')].map((part) => part.scrollHeight - part.clientHeight))",
    ),
  );
  const height = Math.min(tallest, before.height + hidden);
  if (height > before.height) await page.setViewportSize({ width: before.width, height });
  await page.screenshot({ path });
  if (height > before.height) await page.setViewportSize(before);
}
