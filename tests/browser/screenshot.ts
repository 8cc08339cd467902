import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures are put. */
export const screenshots = resolve('.vigil/screenshots');

const tallest = 3000;

/** Pictures cost more than the rest of a walk through all pages, and no test checks them. */
export const arePicturesWanted = process.env.VIGIL_TEST_SCREENSHOTS !== undefined;

/** Takes a picture of what the window shows, if `VIGIL_TEST_SCREENSHOTS` is set. */
export async function takePicture(page: Page, path: string): Promise<void> {
  if (arePicturesWanted) await page.screenshot({ path });
}

/** Takes a picture of the whole page: of what its main part would show if the window were high enough. */
export async function takeWhole(page: Page, path: string): Promise<void> {
  const before = page.viewportSize();
  if (!arePicturesWanted || !before) return;
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
