import { expect, test } from 'vitest';
import type { ClusterPast } from '#libs/client';
import { clusterPastDays } from '#libs/messaging';
import { changeOf, countChanges, shareOf } from './compare-hosts.ts';
import { inOrder, laterMomentOf, momentAt, momentOf, placeOf, stepOf, timeLineOf } from './moments.ts';

const now = Date.parse('2026-06-15T12:40:00Z');
const line = timeLineOf(now);
const iso = (ms: number) => new Date(ms).toISOString();

test('the time line has every full hour that the API has', () => {
  const hourMs = 3_600_000;
  const earliestMs = now - clusterPastDays * 24 * hourMs;
  expect([iso(line.firstMs), iso(line.lastMs), line.steps]).toEqual([
    ...['2026-05-18T13:00:00.000Z', '2026-06-15T12:00:00.000Z', 671],
  ]);
  expect([line.firstMs >= earliestMs, line.firstMs - hourMs < earliestMs]).toEqual([true, true]);
  expect(iso(momentAt(line, 1))).toBe('2026-05-18T14:00:00.000Z');
  expect([momentAt(line, -5), momentAt(line, 999)]).toEqual([line.firstMs, line.lastMs]);
  expect([0, 1, 671].map((step) => stepOf(line, momentAt(line, step)))).toEqual([0, 1, 671]);
});

test('the URL has the moment, and a text that is no time means a day ago', () => {
  expect(iso(momentOf('2026-06-03T04:05:00Z', line))).toBe('2026-06-03T04:05:00.000Z');
  for (const odd of ['', 'x']) expect(iso(momentOf(odd, line))).toBe('2026-06-14T12:00:00.000Z');
  expect([stepOf(line, 0), stepOf(line, now * 2)]).toEqual([0, 671]);
});

test('two moments are requested in their order, and one alone is compared with now', () => {
  const [first, second] = [now - 7_200_000, now - 3_600_000];
  expect(inOrder(second, first)).toEqual({ at: iso(first), to: iso(second) });
  expect(inOrder(first, second)).toEqual(inOrder(second, first));
  expect(inOrder(first, laterMomentOf('x'))).toEqual({ at: iso(first) });
  expect(laterMomentOf(iso(first))).toBe(first);
});

test('marks are on the time line, those of the current hour at its end, and earlier ones on none', () => {
  expect(placeOf(line, '2026-06-01T12:30:00Z')).toBe(50);
  expect(placeOf(line, '2026-06-15T12:30:00Z')).toBe(100);
  for (const outside of ['2026-05-01T00:00:00Z', 'x']) expect(placeOf(line, outside)).toBeNull();
});

function host(before: number | null, cpuLoad: number | null): ClusterPast['hosts'][number] {
  const use = { instances: 1, vcpus: 4, memory: 100, disk: 10, memory_load: null };
  return {
    ...{ hostname: 'a', zone: 'z', aggregates: [], arrived: 0, left: 0 },
    capacity: { vcpus: 8, memory: 400, disk: 0 },
    before: { ...use, cpu_load: before },
    now: { ...use, memory: 200, cpu_load: cpuLoad },
  };
}

test('hosts become fuller or less full by five points or more, and only measured ones', () => {
  const hosts = [host(40, 45), host(40, 44.9), host(60, 20), host(null, 50), host(50, null)];
  expect(countChanges(hosts, 'cpu_load')).toEqual({ fuller: 1, emptier: 1, unknown: 2 });
  expect(countChanges(hosts, 'memory')).toEqual({ fuller: 5, emptier: 0, unknown: 0 });
  expect(changeOf(host(40, 30), 'cpu_load')).toBe(-10);
});

test('a share is of the capacity, and unknown without one', () => {
  const measures = ['vcpus', 'memory', 'disk', 'memory_load'] as const;
  expect(measures.map((measure) => shareOf(host(1, 2), measure, 'now'))).toEqual([50, 50, null, null]);
});
