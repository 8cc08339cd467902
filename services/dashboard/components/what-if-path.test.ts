import { expect, it } from 'vitest';
import { emptyWhatIf, type WhatIfForm, whatIfFormOf, whatIfPath, whatIfRequestOf } from './what-if-path.ts';

const read = (start: Partial<WhatIfForm>) => whatIfFormOf(new URL(whatIfPath(start), 'http://vigil').searchParams);

it.each<[Partial<WhatIfForm>, object]>([
  [
    { kind: 'rack', names: ['r 1', 'r&2'] },
    { question: 'lose', kind: 'rack', names: ['r 1', 'r&2'] },
  ],
  [
    { question: 'remove', names: ['a'] },
    { question: 'remove', names: ['a'] },
  ],
  [
    { question: 'add', count: '2', like: 'a' },
    { question: 'add', count: 2, like: 'a' },
  ],
  [
    { question: 'place', flavor: 'm1' },
    { question: 'place', flavor: 'm1', boot_from_volume: false },
  ],
  [
    { question: 'place', flavor: 'm1', count: '3', zone: 'az1', isFromVolume: true },
    { question: 'place', flavor: 'm1', count: 3, zone: 'az1', boot_from_volume: true },
  ],
  [
    { question: 'ratio', ratios: { cpu: '4', memory: '', disk: '1.5' }, names: ['a'] },
    { question: 'ratio', ratios: { cpu: 4, disk: 1.5 }, names: ['a'] },
  ],
  [
    {
      question: 'move',
      moves: [
        { instance: 'u', host: 'a b' },
        { instance: 'v', host: 'c' },
      ],
    },
    {
      question: 'move',
      moves: [
        { instance: 'u', host: 'a b' },
        { instance: 'v', host: 'c' },
      ],
    },
  ],
])('%j has a permanent link, and its request is %j', (start, request) => {
  const form = read(start);
  expect(form).toEqual({ ...emptyWhatIf, ...start });
  expect(whatIfRequestOf(form)).toEqual(request);
});

it.each<Partial<WhatIfForm>>([
  {},
  { question: 'remove' },
  { question: 'add', count: '0', like: 'a' },
  { question: 'add', count: '1' },
  { question: 'place', flavor: 'm1', count: 'x' },
  { question: 'ratio' },
  { question: 'move' },
  { question: 'ratio', ratios: { cpu: 'much', memory: '', disk: '' } },
])('%j is not complete, and has no request', (start) => {
  expect(whatIfRequestOf({ ...emptyWhatIf, ...start })).toBeNull();
});

it('drops the fields of other questions, and reads unknown words as none', () => {
  expect(whatIfPath({ question: 'add', count: '1', like: 'a', names: ['b'], flavor: 'm1' })).toBe(
    '/what-if?question=add&count=1&like=a',
  );
  expect(whatIfFormOf(new URLSearchParams('question=loose&kind=cell'))).toEqual(emptyWhatIf);
});
