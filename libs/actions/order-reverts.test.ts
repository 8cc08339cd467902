import { expect, it } from 'vitest';
import { orderReverts, type RevertTask } from './order-reverts.ts';

const disable = (host: string) => ({ service: { host, enables: true } });
const enable = (host: string) => ({ service: { host, enables: false } });
const leave = (host: string) => ({ movesTo: host });

/** The order in which reverts that run one at a time start. Every action waits for the one before it. */
function chain(uses: Record<string, Partial<RevertTask>>): string {
  const uuids = Object.keys(uses);
  const graph = { childrenOf: (uuid: string) => uuids.slice(uuids.indexOf(uuid) + 1).slice(0, 1) };
  const tasks = Object.entries(uses).map(([uuid, use]) => ({ uuid, hasTakenEffect: true, ...use }));
  const order = orderReverts(tasks, graph);
  const done: string[] = [];
  for (const _ of uuids) {
    const next = uuids
      .toReversed()
      .find((uuid) => !done.includes(uuid) && order.get(uuid)?.every((one) => done.includes(one)));
    if (next) done.push(next);
  }
  return done.join(' ');
}

it.each<[string, Record<string, Partial<RevertTask>>, string]>([
  ['children before parents', { a: {}, b: {}, c: {} }, 'c b a'],
  ['a host is enabled before moves back to it', { off: disable('h'), m: leave('h'), n: leave('h') }, 'off n m'],
  ['other hosts do not matter', { off: disable('x'), m: leave('h') }, 'm off'],
  [
    'also with others in between',
    { off: disable('h'), x: {}, m: leave('h'), g: leave('g'), n: leave('h') },
    'off n g m x',
  ],
  [
    'a host that was enabled at the end is disabled after moves back to it',
    { m: leave('h'), x: {}, on: enable('h') },
    'x m on',
  ],
  ['disabled and enabled again', { off: disable('h'), m: leave('h'), on: enable('h') }, 'm on off'],
  ['enabled and disabled again', { on: enable('h'), m: leave('h'), off: disable('h') }, 'off m on'],
  ['one host after another', { off: disable('h'), m: leave('h'), off2: disable('g'), m2: leave('g') }, 'off2 m2 off m'],
  [
    'changes that may not have taken effect do not count',
    { off: { ...disable('h'), hasTakenEffect: false }, m: leave('h') },
    'm off',
  ],
])('%s', (_name, uses, expected) => {
  expect(chain(uses)).toBe(expected);
});
