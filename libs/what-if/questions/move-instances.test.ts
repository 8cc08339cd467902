import { expect, it } from 'vitest';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { computeWhatIf, runSteps } from '../index.ts';

const host = { vcpus: 4, vcpusRatio: 1, memory: 4096, disk: 100 };
const size = { vcpus: 2, memory: 2048, disk: 10, flavorName: 'half' };
const world = createTestWorld({
  hosts: ['a', 'b'].map((hostname) => ({ ...host, hostname })),
  instances: [
    { ...size, name: 'one', host: 'a' },
    { ...size, name: 'two', host: 'a' },
    { ...size, name: 'three', host: 'b' },
    { ...size, name: 'same', host: 'b', locked: true },
  ],
});
const move = (...moves: [instance: string, host: string][]) =>
  runSteps(computeWhatIf(world, { question: 'move', moves: moves.map(([instance, to]) => ({ instance, host: to })) }));

it('judges each move after the ones before it, and measures the cloud after those that are possible', () => {
  const full = move(['one', 'b']);
  expect(full).toMatchObject({ verdict: 'does_not_fit', moves: [], text: '1 move: 0 possible' });
  expect(full.obstacles).toMatchObject([{ name: 'one', hostname: 'b', constraint: 'vcpu' }]);

  const { verdict, obstacles, moves } = move([testUuid('three'), 'a'], ['one', 'b']);
  expect(verdict).toBe('does_not_fit');
  expect([obstacles.length, moves.length]).toEqual([2, 0]);
});

it('frees room by an earlier move, and reports fuller hosts', () => {
  const roomy = createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ ...host, hostname })),
    instances: [
      { ...size, name: 'one', host: 'a' },
      { ...size, name: 'two', host: 'b' },
      { ...size, name: 'three', host: 'b' },
    ],
  });
  const request = (names: string[][]) =>
    runSteps(
      computeWhatIf(roomy, {
        question: 'move',
        moves: names.map(([instance = '', to = '']) => ({ instance, host: to })),
      }),
    );
  expect(request([['one', 'b']]).verdict).toBe('does_not_fit');
  const { verdict, moves, fullest, reserve } = request([
    ['two', 'c'],
    ['one', 'b'],
  ]);
  expect(verdict).toBe('fits');
  expect(moves.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['two', 'b', 'c'],
    ['one', 'a', 'b'],
  ]);
  const memory = fullest.find(({ resource }) => resource === 'memory');
  expect(memory).toMatchObject({ before: { hostname: 'b' }, after: { hostname: 'b' } });
  expect(reserve.after?.hosts).toBe(3);
});

it('names the constraint of an instance that cannot leave its host', () => {
  expect(move(['same', 'a']).obstacles).toMatchObject([{ name: 'same', constraint: 'instance-locked' }]);
});

it.each<[[string, string][], string]>([
  [[['on', 'a']], 'there is no instance on; did you mean one?'],
  [[['one', 'bb']], 'there is no host bb'],
  [
    [
      ['one', 'b'],
      [testUuid('one'), 'b'],
    ],
    'is named twice',
  ],
  [[], 'between 1 and'],
])('refuses %j', (moves, text) => {
  expect(() => move(...moves)).toThrow(text);
});
