import { expect, test } from 'vitest';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

const here = useDashboard({ services: ['decision-engine'] });

/** Counts the animations and transitions that start from now on. */
const countMotions = `(() => {
  globalThis.motions = 0;
  for (const kind of ['transitionrun', 'animationstart']) document.addEventListener(kind, () => { globalThis.motions += 1; }, true);
})()`;

test.each([
  ['reduce', false],
  ['no-preference', true],
] as const)('with %s as the preference for motion, instances on the map glide: %s', async (motion, isMoving) => {
  const { plan } = await here.rows.plan({ actions: 3, hosts: ['compute-1', 'compute-2'] });
  const page = await here.open(`plans/${plan.uuid}?tab=map`, { motion });
  const slider = page.getByRole('slider', { name: text('map.slider') });
  await slider.press('Home');
  await page.locator(`input[aria-valuetext="${text('map.before')}"]`).waitFor();
  await page.evaluate(countMotions);
  for (const key of ['ArrowRight', 'ArrowRight', 'End']) await slider.press(key);
  await page.locator(`input[aria-valuetext="${text('map.after')}"]`).waitFor();
  // Two frames: the first draws the new places, the second starts their transitions.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect((await page.evaluate<number>('globalThis.motions')) > 0).toBe(isMoving);
});
