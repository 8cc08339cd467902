import { describe, expect, it } from 'vitest';
import { createTestWorld, type TestInstance, testUuid } from '#libs/plugin-kit/testing';
import type { SchedulerHints } from '../compute-snapshot.ts';
import { createWhatIf } from '../create-what-if.ts';
import { createMovesTogether } from '../moves-together.ts';
import { novaFilters } from '../nova-filters.ts';
import { createOrderedSets } from '../ordered-sets.ts';
import { heededHints } from './heeded-hints.ts';

const apartFrom = (...names: string[]): SchedulerHints => ({ differentHost: names.map(testUuid) });
const besides = (...names: string[]): SchedulerHints => ({ sameHost: names.map(testUuid) });

/** Instances of the hosts a, b and c, by `name: host`. */
function world(places: Record<string, string>, hints: Record<string, SchedulerHints>) {
  const instances = Object.entries(places).map(([name, host]): TestInstance => ({ name, host, hints: hints[name] }));
  return createTestWorld({ hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })), instances });
}

/** Refusals of the first instance on b and c. */
function refusals(places: Record<string, string>, hints: Record<string, SchedulerHints>) {
  const model = createWhatIf(world(places, hints));
  return [model.refusal(0, 1), model.refusal(0, 2)];
}

const apart = 'hint-different-host';
const same = 'hint-same-host';

describe('hints to the scheduler', () => {
  it.each([
    ['different_host', { vm: apartFrom('x') }, { vm: 'a', x: 'b' }, [apart, null]],
    ['different_host of another', { x: apartFrom('vm') }, { vm: 'a', x: 'b' }, [apart, null]],
    ['different_host of several', { vm: apartFrom('x', 'y') }, { vm: 'a', x: 'b', y: 'c' }, [apart, apart]],
    ['different_host of a deleted one', { vm: apartFrom('deleted') }, { vm: 'a' }, [null, null]],
    ['same_host elsewhere', { vm: besides('x') }, { vm: 'a', x: 'b' }, [null, same]],
    ['same_host here', { vm: besides('x') }, { vm: 'a', x: 'a' }, [same, same]],
    ['one of several', { vm: besides('x', 'y') }, { vm: 'a', x: 'a', y: 'c' }, [same, null]],
    ['same_host of a deleted one', { vm: besides('deleted') }, { vm: 'a' }, [same, same]],
    ['same_host of another here', { x: besides('vm') }, { vm: 'a', x: 'a' }, [same, same]],
    ['same_host of another that keeps one', { x: besides('vm', 'y') }, { vm: 'a', x: 'a', y: 'a' }, [null, null]],
    ['same_host of another elsewhere', { x: besides('vm') }, { vm: 'a', x: 'b' }, [null, null]],
    ['query', { vm: { unjudged: ['query'] } }, { vm: 'a' }, ['hint-query', 'hint-query']],
    [
      'build_near_host_ip',
      { vm: { unjudged: ['build_near_host_ip'] } },
      { vm: 'a' },
      ['hint-near-host', 'hint-near-host'],
    ],
  ] as [string, Record<string, SchedulerHints>, Record<string, string>, unknown[]][])(
    '%s',
    (_, hints, places, expected) => {
      expect(refusals(places, hints)).toEqual(expected);
    },
  );

  it('follow the moves of the view', () => {
    const model = createWhatIf(world({ vm: 'a', x: 'b' }, { vm: apartFrom('x') }));
    expect(model.refusalAfter(0, 1, 1)).toBeNull();
    expect(model.refusal(0, 1)).toBe(apart);
    model.move(1, 2);
    expect([model.refusal(0, 1), model.refusal(0, 2)]).toEqual([null, apart]);
  });

  it('do not hold a named instance on a failed host, but the one that names it', () => {
    const places = [
      { name: 'vm', host: 'dead', hints: besides('x') },
      { name: 'x', host: 'dead' },
    ];
    const hosts = [{ hostname: 'dead', state: 'down' as const }, { hostname: 'b' }, { hostname: 'c' }];
    const model = createWhatIf(createTestWorld({ hosts, instances: places }));
    const way = { way: 'evacuate' as const };
    expect([model.refusal(0, 1, way), model.refusal(1, 1, way)]).toEqual([same, null]);
    model.move(1, 1);
    expect([model.refusal(0, 1, way), model.refusal(0, 2, way)]).toEqual([null, same]);
  });

  it('are places and an order for moves side by side', () => {
    const snapshot = world({ vm: 'a', x: 'b', y: 'b' }, { vm: apartFrom('x'), y: besides('x') });
    const moves = createMovesTogether(snapshot);
    const [pool] = moves.amountsOf(0, 1).at(-1) ?? [-1];
    expect([moves.free(pool), moves.amountsOf(1, 1).at(-1)]).toEqual([0, [pool, 1]]);
    expect(moves.orderedSetsOf(1)).toEqual(moves.orderedSetsOf(2));
    expect(moves.orderedSetsOf(1)).toHaveLength(1);
    const now = createOrderedSets(snapshot).count();
    expect([now.admit(1, 2), now.admit(2, 2)]).toEqual([false, false]);
  });
});

describe('hints that are heeded', () => {
  const hints = { different_host: ['a'], same_host: ['b'], query: ['["=", 1, 1]'], build_near_host_ip: ['10.0.0.1'] };

  it('are those of enabled filters', () => {
    expect(heededHints(hints)).toEqual({
      differentHost: ['a'],
      sameHost: ['b'],
      unjudged: ['query', 'build_near_host_ip'],
    });
    expect(heededHints(hints, ['SameHostFilter'])).toEqual({ sameHost: ['b'] });
    expect(heededHints(hints, ['JsonFilter'])).toEqual({ unjudged: ['query'] });
  });

  it('are none without a filter, without hints of these names, and where Nova reports none', () => {
    expect(heededHints(hints, [])).toBeNull();
    expect(heededHints({ group: ['g'], other: ['x'] }, novaFilters)).toBeNull();
    expect(heededHints(undefined)).toBeNull();
  });
});
