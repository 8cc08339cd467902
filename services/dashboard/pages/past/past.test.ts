import { expect, test } from 'vitest';
import type { ClusterPast } from '#libs/client';
import { clusterPastDays } from '#libs/messaging';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { changeOf, changesText, countChanges, noticedPoints, shareOf } from './compare-hosts.ts';
import {
  firstRecordOf,
  inOrder,
  laterMomentOf,
  momentAt,
  momentOf,
  otherStep,
  placeOf,
  stepOf,
  stepsOf,
  timeLineOf,
} from './moments.ts';

addTexts(enPages);

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

test('the time line starts at the first recorded moment, but not before the earliest of the API', () => {
  const since = timeLineOf(now, Date.parse('2026-06-12T09:10:00Z'));
  expect([iso(since.firstMs), iso(since.lastMs)]).toEqual(['2026-06-12T10:00:00.000Z', '2026-06-15T12:00:00.000Z']);
  expect(since.steps).toBe(74);
  expect(timeLineOf(now, 0)).toEqual(line);
});

test('the first record is the first load, or an hour before an earlier plan', () => {
  const plans = [
    { started_at: iso(now - 7_200_000), ended_at: iso(now) },
    { started_at: null, ended_at: iso(now - 3_600_000) },
  ];
  expect(firstRecordOf(now, plans)).toBe(now - 10_800_000);
  expect(firstRecordOf(now - 20_000_000, plans)).toBe(now - 20_000_000);
  expect([firstRecordOf(null, plans), firstRecordOf(now, [])]).toEqual([null, now]);
  const ended = plans[1]?.ended_at ?? '';
  expect(placeOf(timeLineOf(now, firstRecordOf(now, plans)), ended)).not.toBeNull();
});

test('a time line shorter than a day has steps of 5 minutes, at least one, and starts with its first moment', () => {
  const short = timeLineOf(now, Date.parse('2026-06-15T10:32:00Z'));
  expect([iso(short.firstMs), iso(short.lastMs), short.steps]).toEqual([
    ...['2026-06-15T10:35:00.000Z', '2026-06-15T12:40:00.000Z', 25],
  ]);
  expect(iso(momentOf('', short))).toBe('2026-06-15T10:35:00.000Z');
  expect([stepsOf(short, 1), stepsOf(line, 24)]).toEqual([12, 24]);
  expect(timeLineOf(now, now).steps).toBe(1);
});

test('the other moment is a day apart, or at an end of a short time line', () => {
  expect([0, 100, 671].map((step) => otherStep(line, step))).toEqual([24, 124, 647]);
  const short = timeLineOf(now, Date.parse('2026-06-15T10:32:00Z'));
  expect([0, 25].map((step) => otherStep(short, step))).toEqual([25, 0]);
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

test('moments without a difference say so instead of counting nothing', () => {
  const instances = { before: 60, now: 60, moved: 0 } as ClusterPast['instances'];
  const unchanged = text('past.unchanged', { points: noticedPoints });
  const still = { instances, moves: 0, hosts: [host(40, 41), host(20, 20)] };
  expect(changesText(still, 'cpu_load', true)).toBe(unchanged);
  for (const changed of [
    { ...still, moves: 1 },
    { ...still, instances: { ...instances, moved: 1 } },
    { ...still, hosts: [host(40, 90)] },
    { ...still, hosts: [host(90, 40)] },
    { ...still, hosts: [host(null, 40)] },
  ]) {
    const shown = changesText(changed, 'cpu_load', true);
    expect(shown).not.toBe(unchanged);
    expect(shown).toContain(text('past.movesBetween', { count: changed.moves }));
  }
});
