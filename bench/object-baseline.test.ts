import { expect, it } from 'vitest';
import { crookedMetrics } from './crooked-metrics.ts';
import { crookedSnapshot } from './crooked-world.ts';
import { fullSearchOverObjects } from './object-baseline.ts';
import { seededRandom } from './synthetic-world.ts';

it('the yardstick of the strategies bench takes a cloud with instances on no host and with holes in its metrics', async () => {
  const random = seededRandom(1);
  // More instances than fit on the hosts.
  const snapshot = crookedSnapshot(4, 2000, random);
  expect(snapshot.instances.host).toContain(-1);

  const deviation = await fullSearchOverObjects(snapshot, crookedMetrics(snapshot, random));
  expect(deviation).toBeGreaterThan(0);
  expect(deviation).toBeLessThan(1);
});
