import { expect, it } from 'vitest';
import { createTestWorld, type TestGroup } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';

function costs(policy: TestGroup['policy']) {
  const model = createWhatIf(
    createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'i0', host: 'a', group: 'g' },
        { name: 'i1', host: 'a', group: 'g' },
        { name: 'i2', host: 'b', group: 'g' },
        { name: 'other', host: 'c' },
      ],
      groups: [{ name: 'g', policy }],
    }),
  );
  const of = (instance: number) => [0, 1, 2].map((host) => model.softCost(instance, host));
  return { model, of };
}

it.each<[TestGroup['policy'], number[], number[]]>([
  ['soft-anti-affinity', [1, 1, 0], [2, 0, 0]],
  ['soft-affinity', [1, 1, 2], [0, 2, 2]],
  ['anti-affinity', [0, 0, 0], [0, 0, 0]],
  ['affinity', [0, 0, 0], [0, 0, 0]],
])('%s: pairs that an instance breaks on each host', (policy, first, third) => {
  const { of } = costs(policy);
  expect(of(0)).toEqual(first);
  expect(of(2)).toEqual(third);
  expect(of(3)).toEqual([0, 0, 0]);
});

it('follows moves and refuses nothing', () => {
  const { model, of } = costs('soft-anti-affinity');
  expect(model.refusal(0, 1)).toBeNull();
  model.move(0, 2);
  expect(of(1)).toEqual([0, 1, 1]);
  expect(of(0)).toEqual([1, 1, 0]);
});
