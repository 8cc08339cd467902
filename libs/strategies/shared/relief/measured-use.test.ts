import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, type TestWorld } from '#libs/plugin-kit/testing';
import { scenarioM1 } from '../../testing/watcher-scenarios.ts';
import { finalMoves } from './explain-moves.ts';
import { createMeasuredUse } from './measured-use.ts';

const none = [Number.NaN, Number.NaN];

/** Scenario M1: both instances have 10 vcpus, those of INSTANCE_0 at 10 % and of INSTANCE_1 at 30 %. */
function m1({
  hostCpu = none,
  hostRam = none,
  world = scenarioM1,
}: {
  hostCpu?: number[];
  hostRam?: number[];
  world?: TestWorld;
} = {}) {
  const column = (values: number[]) => Float64Array.from(values);
  const values = {
    instanceCpu: column([10, 30]),
    instanceRam: column([1, 2]),
    instanceRamAllocated: column(none),
    hostCpu: column(hostCpu),
    hostRam: column(hostRam),
  };
  return createMeasuredUse(createTestWorld(world), values, { vcpus: 100, memory: 100 });
}

it('M1: an instance uses its share of its vcpus, a host its own value, or the sum of its instances if that is more', () => {
  expect(m1().instanceCpu(0)).toBe(1);
  expect([m1().hostCpu(0), m1().hostCpu(1)]).toEqual([1, 3]);
  expect(m1({ hostCpu: [30, 5] }).hostCpu(0)).toBe(12);
  expect(m1({ hostCpu: [30, 5] }).hostCpu(1)).toBe(3);
});

it('M1: a move takes the use of the instance from one host to the other, and no more', () => {
  const use = m1({ hostCpu: [30, 30] });
  use.moved(0, 0, 1);
  expect([use.hostCpu(0), use.hostCpu(1)]).toEqual([11, 13]);
});

// Watcher scales the capacity by a coefficient. Here it is the hosts that are smaller.
it.each([
  [40, false, true],
  [4, false, true],
  [3, false, false],
  [1, false, false],
])('M1 with %i CPUs: overloaded %s, room for the other instance %s', (vcpus, overloaded, fits) => {
  const use = m1({ world: { ...scenarioM1, hosts: scenarioM1.hosts.map((host) => ({ ...host, vcpus })) } });
  expect([use.overloaded(0), use.fits(0, 1)]).toEqual([overloaded, fits]);
});

it('M1: a host whose own use exceeds its CPUs is overloaded by the excess', () => {
  const use = m1({ hostCpu: [100, 101] });
  expect([use.overloaded(0), use.overloaded(1)]).toEqual([false, true]);
  expect(use.excessCpu(1)).toBeCloseTo(0.4);
});

it.each([
  ['vcpu', { vcpus: 35 }, { vcpus: 30 }],
  ['memory', { memory: 63 }, { memory: 62 }],
  ['disk', { disk: 241 }, { disk: 230 }],
])('M1: INSTANCE_0 fits beside a neighbour by its allocation of %s, or not', (constraint, tooMuch, justRight) => {
  const refusal = (neighbour: object) => {
    const [first, second] = scenarioM1.instances ?? [];
    const instances = [first, second && { ...second, ...neighbour }].flatMap((instance) => instance ?? []);
    return createWhatIf(createTestWorld({ ...scenarioM1, instances })).refusal(0, 1);
  };
  expect([refusal(tooMuch), refusal(justRight)]).toEqual([constraint, null]);
});

it('two moves of an instance count as one migration from its first host, and a return as none', () => {
  const snapshot = createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
    instances: ['x', 'y'].map((name) => ({ name, host: 'a' })),
  });
  const model = createWhatIf(snapshot);
  for (const [instance, to] of [
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 0],
  ] as const)
    model.move(instance, to);
  expect(finalMoves(model, [0])).toEqual([{ instance: 0, from: 0, to: 2 }]);
});

it('an estimate replaces the missing value of an instance, except beside a value of its host', () => {
  const snapshot = createTestWorld(scenarioM1);
  const column = (...values: number[]) => Float64Array.from(values);
  const nothing = column(...none);
  const use = (hostCpu: number[]) =>
    createMeasuredUse(
      snapshot,
      {
        instanceCpu: nothing,
        instanceCpuEstimate: column(20, Number.NaN),
        instanceRam: nothing,
        instanceRamAllocated: nothing,
        hostCpu: column(...hostCpu),
        hostRam: nothing,
      },
      { vcpus: 100, memory: 100 },
    );
  expect([0, 1].map((host) => use(none).hostCpu(host))).toEqual([2, 10]);
  expect([0, 1].map((host) => use([1, 1]).hostCpu(host))).toEqual([0.4, 0.4]);
});
