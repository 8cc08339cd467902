import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import type { MoveLedger } from './move-ledger.ts';
import { restAfterMoves } from './rest-after-moves.ts';

const nowMs = Date.UTC(2026, 0, 2);
const allowance = { cloud: 0, hosts: {}, perCloud: 0, perHost: 0 };

function ledgerOf(...names: string[]): MoveLedger {
  const resting = names.map((name, index) => ({
    ...{ uuid: testUuid(name), moves: index + 1, isOpposite: index > 0 },
    ...{ untilMs: nowMs + 3_600_000, repairFromMs: nowMs },
  }));
  return { resting, moves: new Map(), allowance };
}

const hosts = ['a', 'b'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
const size = { vcpus: 1, memory: 1024, disk: 1 };

it('names the instances that rest, with the count of their moves', () => {
  const instances = ['x', 'y', 'z'].map((name) => ({ ...size, name, host: 'a' }));
  const world = createTestWorld({ hosts, instances });
  const { snapshot, notes } = restAfterMoves(world, ledgerOf('x', 'y', 'elsewhere'), nowMs);
  const model = createWhatIf(snapshot);
  expect(['x', 'y', 'z'].map((name) => model.immovable(model.instanceRow(testUuid(name))!))).toEqual([
    'instance-cooling-down',
    'instance-cooling-down',
    null,
  ]);
  expect(notes).toEqual([
    '2 instances are left alone after moves: x (moved once in the last day, until 2026-01-02T01:00:00.000Z), ' +
      'y (moved 2 times in the last day, by an audit with the opposite aim, until 2026-01-02T01:00:00.000Z)',
  ]);
});

it.each([
  ['move once its first rest has ended', nowMs, null],
  ['rest until then', nowMs + 1, 'instance-cooling-down'],
] as const)('lets an instance that breaks a rule %s', (_, repairFromMs, expected) => {
  const instances = ['x', 'y'].map((name) => ({ ...size, name, host: 'a', group: 'apart' }));
  const world = createTestWorld({ hosts, instances, groups: [{ name: 'apart', policy: 'anti-affinity' }] });
  const ledger = ledgerOf('x', 'y');
  const resting = ledger.resting.map((one) => ({ ...one, repairFromMs }));
  const model = createWhatIf(restAfterMoves(world, { ...ledger, resting }, nowMs).snapshot);
  expect(model.immovable(model.instanceRow(testUuid('x'))!)).toBe(expected);
});

it('changes nothing without moves', () => {
  const world = createTestWorld({ hosts, instances: [{ ...size, name: 'x', host: 'a' }] });
  expect(restAfterMoves(world, null, nowMs)).toEqual({ snapshot: world, notes: [] });
});
