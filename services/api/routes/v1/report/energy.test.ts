import { expect, it } from 'vitest';
import { energyOf, energyStep } from './energy.ts';

const hour = 3600;
const spread = { metric: 'host_power', unit: 'W', step: 8 * hour, deviation: [], min: [], max: [] };

it('sums power of all measured hosts over the measured hours, also of the parts of steps at both ends', () => {
  const start = 100 * 8 * hour + 2 * hour;
  const at = [start + 6 * hour, start + 22 * hour, start + 24 * hour];
  const energy = energyOf({ ...spread, at, mean: [100, 200, 300], count: [10, 10, 5] }, start);
  expect(energy).toEqual({ kwh: (6 * 1000 + 8 * 2000 + 2 * 1500) / 1000, measured_hours: 16, hosts: 10 });
});

it('has no energy without samples', () => {
  expect(energyOf({ ...spread, at: [], mean: [], count: [] }, 0)).toEqual({ kwh: null, measured_hours: 0, hosts: 0 });
});

it.each([
  [60, hour],
  [86_400, hour],
  [31 * 86_400, 8 * hour],
  [366 * 86_400, 92 * hour],
])('a period of %i s has steps of %i s', (seconds, step) => {
  expect(energyStep(seconds)).toBe(step);
});
