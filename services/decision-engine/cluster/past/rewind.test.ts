import { expect, test } from 'vitest';
import type { Migration } from '#libs/openstack';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { type FinishedMove, finishedMove } from './finished-moves.ts';
import { rewind } from './rewind.ts';

const hour = (hours: number) => Date.parse('2026-06-01T00:00:00Z') + hours * 3_600_000;
const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname }));

/** An instance on host `a`, created a month ago. Each test changes its fields as needed. */
function worldOf(instance: { host?: string | null; created?: string } = {}) {
  return createTestWorld({
    hosts,
    instances: [{ name: 'x', host: 'a', created: '2026-05-01T00:00:00Z', ...instance }],
  });
}

const move = (from: string | null, to: string, hours: number, change: Partial<FinishedMove> = {}): FinishedMove => ({
  ...{ instance: testUuid('x'), from, to, atMs: hour(hours), isResize: false, ...change },
});

function hostAt(hours: number, moves: FinishedMove[], world = worldOf()): string | null {
  const row = rewind(world, moves, hour(hours)).host[0] as number;
  return world.hostInfo[row]?.hostname ?? null;
}

test('an instance is on the host that it left with its first move since then', () => {
  const moves = [move('c', 'a', 6), move('b', 'c', 2), move('a', 'b', 1)];
  expect([0, 1, 1.5, 2, 5, 6, 7].map((at) => hostAt(at, moves))).toEqual(['a', 'b', 'b', 'c', 'c', 'a', 'a']);
});

test('an instance that was created since then is on no host', () => {
  const world = worldOf({ created: '2026-06-01T03:00:00Z' });
  expect(rewind(world, [move('b', 'a', 5)], hour(2))).toMatchObject({ createdSince: 1, hostGone: 0 });
  expect([2, 4, 6].map((at) => hostAt(at, [move('b', 'a', 5)], world))).toEqual([null, 'b', 'a']);
});

test.each([
  ['on a host that has left the cloud', [move('gone', 'a', 5)], 'a', { hostGone: 1, withoutHost: 0 }],
  ['on a host that Nova does not name', [move(null, 'a', 5)], 'a', { hostGone: 1, withoutHost: 0 }],
  ['without a host now and without a move', [], null, { hostGone: 0, withoutHost: 1 }],
])('an instance %s is counted, and placed nowhere', (_, moves, host, counts) => {
  const world = worldOf({ host });
  expect(hostAt(2, moves, world)).toBeNull();
  expect(rewind(world, moves, hour(2))).toMatchObject(counts);
});

test('a shelved instance was where it left its host', () => {
  expect(hostAt(2, [move('b', 'a', 5)], worldOf({ host: null }))).toBe('b');
});

test('moves are counted of instances that exist, and deleted ones as far as they were moved', () => {
  const gone = { instance: testUuid('gone') };
  const moves = [move('b', 'a', 1), move('b', 'a', 3), move('a', 'b', 4, gone), move('b', 'c', 5, gone)];
  expect(rewind(worldOf(), moves, hour(2))).toMatchObject({ moves: 1, deletedSince: 1, resizedSince: 0 });
  expect(rewind(worldOf(), [move('b', 'a', 3, { isResize: true })], hour(2))).toMatchObject({ resizedSince: 1 });
});

const record: Migration = {
  ...{ id: 1, uuid: 'm', serverUuid: 's', sourceHost: 'a', destHost: 'b', userId: null, projectId: null },
  ...{ createdAt: '2026-06-01T01:00:00.000000', updatedAt: '2026-06-01T02:00:00.000000', transfer: null },
  ...{ type: 'live-migration', status: 'completed' },
};

test.each([
  ['live-migration', 'completed', hour(2)],
  ['migration', 'finished', hour(1)],
  ['migration', 'confirmed', hour(1)],
  ['resize', 'confirmed', hour(1)],
  ['evacuation', 'done', hour(1)],
  ['evacuation', 'completed', hour(1)],
])('a record of type %s and status %s is a move at the time of Nova in UTC', (type, status, atMs) => {
  const isResize = type === 'resize';
  expect(finishedMove({ ...record, type, status })).toEqual({ instance: 's', from: 'a', to: 'b', atMs, isResize });
});

test.each<Partial<Migration>>([
  { status: 'error' },
  { status: 'running' },
  { status: 'cancelled' },
  { type: 'migration', status: 'reverted' },
  { destHost: null },
  { type: 'resize', status: 'confirmed', destHost: 'a' },
  { updatedAt: 'soon' },
])('a record with %j is no move', (change) => {
  expect(finishedMove({ ...record, ...change })).toBeNull();
});
