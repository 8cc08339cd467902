import { expect, test } from 'vitest';
import { text } from './texts.ts';
import { useDashboard } from './use-dashboard.ts';

const here = useDashboard({ services: ['decision-engine'] });

/** CSS of a migrating instance. */
const instance = "document.querySelector('.vigil-map-instance')";

test.each([
  ['reduce', false],
  ['no-preference', true],
] as const)('with %s as the preference for motion, instances on the map glide: %s', async (motion, isMoving) => {
  const { plan } = await here.rows.plan({
    actions: 1,
    plan: { state: 'ONGOING', launchSeq: 1 },
    action: () => ({ state: 'ONGOING' }),
    hosts: ['compute-1', 'compute-8'],
  });
  const page = await here.open(`plans/${plan.uuid}?tab=map`, { motion });
  await page.getByText(text('map.moving', { count: 1 })).waitFor();
  const duration = await page.evaluate<string>(`getComputedStyle(${instance}).transitionDuration`);
  expect(duration.startsWith('0s')).toBe(!isMoving);
});
