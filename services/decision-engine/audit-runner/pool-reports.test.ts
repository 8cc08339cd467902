import { expect, it } from 'vitest';
import { buildStorageSnapshot, type StorageSnapshot } from '#libs/cluster-model';
import type { ModelKeeper } from '../model/model-keeper.ts';
import { lateNotes, reportedSince } from './pool-reports.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const age = { maxAgeMs: 1000, sinceMs: Number.POSITIVE_INFINITY, clock: { now: () => now } };

/** A picture in which the pool was reported at that time, as Cinder writes it. */
function picture(timestamp?: string): StorageSnapshot {
  const sizes = { totalCapacityGb: 1, freeCapacityGb: 1, provisionedCapacityGb: 0, allocatedCapacityGb: 0 };
  const capabilities: Record<string, string> = timestamp === undefined ? {} : { timestamp };
  const pools = [{ name: 'h@b#p', ...sizes, volumeBackendName: 'b', capabilities }];
  return buildStorageSnapshot({ services: [], pools, volumes: [], types: [], snapshots: [], takenAtMs: now });
}

/** A model that finds these pictures one after the other. */
function modelOf(...pictures: StorageSnapshot[]) {
  const left = [...pictures];
  return { fresh: async () => left.shift() ?? pictures.at(-1) } as unknown as ModelKeeper<StorageSnapshot>;
}

const before = picture('2026-11-23T11:59:30.000000');
const after = picture('2026-11-23T11:59:55.000000');
const moved = { sinceMs: 20_000, checkMs: 1 };

it('a model with pool reports from before the last volume move is not used within the time limit', async () => {
  expect(await reportedSince(modelOf(before, before, after), age, { ...moved, patienceMs: 5 })).toBe(after);
  expect(await reportedSince(modelOf(before, after), age, moved)).toBe(before);
  expect(await reportedSince(modelOf(before), age, { ...moved, patienceMs: 3 })).toBe(before);
});

it('it is taken when no volume was moved, and when Cinder does not say when it was reported', async () => {
  expect(await reportedSince(modelOf(before, after), age, { patienceMs: 5, checkMs: 1 })).toBe(before);
  const untold = picture();
  expect(await reportedSince(modelOf(untold, after), age, { ...moved, patienceMs: 5 })).toBe(untold);
});

it('the report notes old pool reports', () => {
  expect(lateNotes(before, age, moved)).toEqual([
    expect.stringContaining('the sizes of 1 storage pools are from before'),
  ]);
  expect(lateNotes(after, age, moved)).toEqual([]);
  expect(lateNotes(before, age)).toEqual([]);
});
