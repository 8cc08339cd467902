import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { TestStack } from '../system/test-stack.ts';
import { openPage } from './browser.ts';
import { arePicturesWanted, screenshots, takePicture } from './screenshot.ts';
import { signIn } from './sign-in.ts';
import { visit } from './visit.ts';
import { poll } from './within.ts';

/** A run in two parts: from its start, and to its end. */
interface Run {
  begin(): Promise<unknown>;
  finish(): Promise<unknown>;
}

/**
 * Runs a plan. Where pictures are wanted, with one of all hosts before, one while its instances move and one after
 * (`run-before.png`, `run-during.png`, `run-after.png`). Nothing arrives while the second is taken.
 */
export async function runWithPictures(browser: Browser, stack: TestStack, plan: string, run: Run): Promise<void> {
  const camera = arePicturesWanted ? await openMap(browser, stack, plan) : undefined;
  const take = async (moment: string) => camera && takePicture(camera, join(screenshots, `run-${moment}.png`));
  await camera?.locator('#map-moment').press('Home');
  await take('before');
  await run.begin();
  if (camera) {
    const done = () => camera.getByRole('progressbar').first().getAttribute('aria-valuenow');
    await poll(async () => Number(await done()) >= 10);
    await stack.control('/speed', { speed: 0 });
    await camera.getByRole('button', { name: 'So far' }).click();
    await camera.locator('.vigil-map-instance').first().waitFor({ state: 'attached' });
    await take('during');
  }
  await run.finish();
  await camera?.locator('.pf-v6-c-label').getByText('SUCCEEDED', { exact: true }).first().waitFor();
  await camera?.locator('#map-moment').press('End');
  await take('after');
  await camera?.context().close();
}

async function openMap(browser: Browser, stack: TestStack, plan: string): Promise<Page> {
  const { page } = await openPage(browser, { width: 1280, height: 900 });
  await signIn(page, stack.api.url ?? '');
  await visit(page, `plans/${plan}?tab=map&scale=relative`);
  await page.locator('.vigil-map-cell').nth(799).waitFor();
  return page;
}
