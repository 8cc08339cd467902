import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, type TestInstance } from '#libs/plugin-kit/testing';
import { createBlockedTally } from '../report/blocked-tally.ts';
import { coverUse } from './covered-use.ts';

const nothing = Number.NaN;

/** Two hosts with two instances of 2 and 6 vcpus on each. */
function cover(
  measured: number[],
  {
    changes = {},
    ...request
  }: { changes?: Partial<TestInstance>; minimumCoverage?: number; isMeasured?(host: number): boolean } = {},
) {
  const world = {
    hosts: [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'empty' }],
    instances: ['a', 'a', 'b', 'b'].map((host, row) => ({
      name: `i${row}`,
      host,
      vcpus: row % 2 === 0 ? 2 : 6,
      ...(row === 3 ? changes : {}),
    })),
  };
  const model = createWhatIf(createTestWorld(world));
  const blocked = createBlockedTally();
  const requested = {
    measured: Float64Array.from(measured),
    allocated: model.snapshot.instances.vcpus,
    hosts: [0, 1, 2],
  };
  return { ...coverUse(model, { ...requested, ...request }, blocked), blocked: blocked.counts() };
}

it('uses measured values, and leaves everything else out of the report', () => {
  const { use, known, notes, blocked } = cover([1, 3, 0, 0]);
  expect([[...use], known, notes, blocked]).toEqual([[1, 3, 0, 0], [0, 1, 2], [], []]);
});

it('gives an unmeasured instance the measured mean of the allocations', () => {
  const { use, known, blocked } = cover([1, 3, 1, nothing]);
  expect([...use]).toEqual([1, 3, 1, 3]);
  expect(known).toEqual([0, 2]);
  expect(blocked).toEqual([
    { constraint: 'coverage', count: 1, examples: ['b'] },
    { constraint: 'instance-without-metric', count: 1, examples: ['i3'] },
  ]);
});

it('counts no instance that is on none of the hosts, such as a bare metal server', () => {
  const { use, notes } = cover([1, 3, nothing, 6], { changes: { host: null } });
  expect(use[2]).toBe(1);
  expect(notes).toContainEqual(expect.stringContaining('50 % of the allocation'));
  expect([...cover([nothing, nothing, nothing, 6], { changes: { host: null } }).use]).toEqual([
    nothing,
    nothing,
    nothing,
    6,
  ]);
});

it.each([
  ['a small one is not measured', [1, 3, nothing, 1], {}, [0, 2]],
  ['a small one is not measured, which is enough', [1, 3, nothing, 1], { minimumCoverage: 75 }, [0, 1, 2]],
  [
    'a stopped one is not measured, of course',
    [1, 3, 1, nothing],
    { changes: { state: 'stopped' as const } },
    [0, 1, 2],
  ],
  ['a paused one is not measured', [1, 3, 1, nothing], { changes: { state: 'paused' as const } }, [0, 2]],
])('coverage follows the allocations: %s', (_, measured, request, known) => {
  expect(cover(measured, request).known).toEqual(known);
});

it('a host with a separate measurement is known', () => {
  const { known, use } = cover([nothing, nothing, nothing, nothing]);
  expect(known).toEqual([2]);
  expect([...use]).toEqual([nothing, nothing, nothing, nothing]);
  expect(cover([1, 1, nothing, nothing], { isMeasured: (host) => host === 1 }).known).toEqual([0, 1, 2]);
});
