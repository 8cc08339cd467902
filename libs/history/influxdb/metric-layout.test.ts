import { expect, it } from 'vitest';
import { toCatalogue } from '../catalogue-unit.ts';
import { influxMapping, layoutOf, storedAggregate } from './metric-layout.ts';

const telegraf = influxMapping('telegraf');
const gib = 1024 ** 3;

it.each([
  ['host_cpu_usage', 'an idle share of 25 %', 25, 75],
  ['host_ram_usage', '4 GiB in bytes', 4 * gib, 4 * 1024 * 1024],
  ['instance_cpu_usage', 'one busy CPU of two, in nanoseconds a second', 1e9, 50],
  ['instance_ram_usage', '2 GiB in KiB', 2 * 1024 * 1024, 2048],
  ['instance_ram_allocated', '8 GiB in KiB', 8 * 1024 * 1024, 8192],
] as const)('converts %s of Telegraf from %s', (metric, _, stored, expected) => {
  expect(toCatalogue(layoutOf(metric, telegraf), 'mean', stored, 2)).toBeCloseTo(expected, 6);
});

it('requests the minimum of an inverted metric for its maximum', () => {
  expect(storedAggregate(layoutOf('host_cpu_usage', telegraf), 'max')).toBe('min');
  expect(storedAggregate(layoutOf('host_ram_usage', telegraf), 'max')).toBe('max');
});
