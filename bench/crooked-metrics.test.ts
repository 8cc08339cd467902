import { expect, it } from 'vitest';
import { crookedLoads, hotPercent } from './crooked-metrics.ts';
import { crookedSnapshot } from './crooked-world.ts';
import { seededRandom } from './synthetic-world.ts';

function loadsWith(hotShare: number) {
  const random = seededRandom(3);
  const snapshot = crookedSnapshot(60, 1200, random);
  return { snapshot, ...crookedLoads(snapshot, random, hotShare) };
}

it('makes the wanted share of the hosts hot through their instances, and leaves the other loads', () => {
  const calm = loadsWith(0);
  const { snapshot, cpu, hostCpu } = loadsWith(0.1);
  const isHot = hostCpu.map((percent) => Number(percent >= hotPercent));
  const hotBefore = calm.hostCpu.filter((percent) => percent >= hotPercent).length;
  const hot = isHot.reduce((sum, one) => sum + one, 0);
  expect(hot).toBeGreaterThanOrEqual(6);
  expect(hot).toBeLessThanOrEqual(6 + hotBefore);
  expect(Math.max(...cpu)).toBeLessThanOrEqual(100);

  const others = (loads: Float64Array) => loads.filter((_, row) => isHot[snapshot.instances.host[row] as number] === 0);
  expect(others(cpu)).toEqual(others(calm.cpu));
  expect(loadsWith(0.1).hostCpu).toEqual(hostCpu);
});
