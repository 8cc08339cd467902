import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import { globalEfficacyOf, planWith } from './call-plugin.ts';
import type { GoalPlugin } from './goal.ts';
import type { PlannerPlugin } from './planner.ts';

const goal = (globalEfficacy: unknown) =>
  ({ kind: 'goal', name: 'own', displayName: 'Own', indicators: [], globalEfficacy }) as GoalPlugin;
const planner = (plan: unknown) => ({ kind: 'planner', name: 'own', description: 'd', plan }) as PlannerPlugin;
const context = {} as Parameters<PlannerPlugin['plan']>[1];
const action = (uuid: string, parents: string[] = []) => ({ uuid, actionType: 'nop', parents });

describe('a goal from outside', () => {
  it('has its own way to measure', () => {
    const entry = { name: 'share', description: 'd', unit: '%', value: 50 };
    expect(
      globalEfficacyOf(
        goal(({ a }: { a: number }) => [{ ...entry, value: a }]),
        { a: 50 },
      ),
    ).toEqual([entry]);
  });

  it.each([
    ['answers nothing', () => undefined, /goal own returned a global efficacy that is not a list/],
    ['divides by zero', () => [{ name: 'share', value: 0 / 0 }], /without name and number: .*"NaN"/],
    [
      'fails',
      () => {
        throw new TypeError('x is not defined');
      },
      /goal own failed: x is not defined/,
    ],
  ])('is named when it %s', (_, globalEfficacy, reason) => {
    expect(() => globalEfficacyOf(goal(globalEfficacy), {})).toThrow(reason);
  });
});

describe('a planner from outside', () => {
  it('orders as it likes, parents first', () => {
    const plan = [action('1'), action('2', ['1']), action('3', ['1', '2'])];
    expect(
      planWith(
        planner(() => plan),
        [],
        context,
      ),
    ).toBe(plan);
  });

  it.each([
    ['a circle', [action('1', ['2']), action('2', ['1'])], /planner own has nop 1 wait for 2, which does not stand/],
    ['an unknown parent', [action('1', ['9'])], /wait for 9/],
    ['one that waits for itself', [action('1', ['1'])], /wait for 1/],
    ['an uuid twice', [action('1'), action('1')], /two actions the uuid 1/],
    ['half an action', [{ uuid: '1' }], /without uuid, actionType or parents/],
    ['nothing in it', [null], /without uuid/],
    ['a promise', Promise.resolve([]), /no list of actions/],
  ])('is refused with %s', (_, plan, reason) => {
    expect(() =>
      planWith(
        planner(() => plan),
        [],
        context,
      ),
    ).toThrow(reason);
  });

  it('can name the fault of the actions itself', () => {
    const refusing = planner(() => {
      throw new InvalidInputError('actions', 'unsupported action type');
    });
    expect(() => planWith(refusing, [], context)).toThrow(InvalidInputError);
  });
});
