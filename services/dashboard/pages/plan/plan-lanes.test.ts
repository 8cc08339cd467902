import { expect, test } from 'vitest';
import { enPages } from '../../texts/en/pages.ts';
import { addTexts, text } from '../../texts/texts.ts';
import { blockedBy, criticalPath, lanesOf } from './plan-lanes.ts';

addTexts(enPages);

const step = (uuid: string, state: string, from: string, to: string, parents: string[] = []) => ({
  uuid,
  state: state as 'PENDING',
  parents,
  action_type: 'migrate',
  input_parameters: { resource_name: uuid, source_node: from, destination_node: to } as object as Record<string, never>,
});

test('lanes are hosts of the side with fewer of them, with failed and running ones first', () => {
  const actions = [
    step('vm-1', 'SUCCEEDED', 'a', 'x'),
    step('vm-2', 'PENDING', 'b', 'y'),
    step('vm-3', 'SUCCEEDED', 'c', 'y'),
    step('vm-4', 'FAILED', 'd', 'y'),
    step('vm-5', 'ONGOING', 'e', 'z'),
  ];
  const to = (host: string) => text('plan.laneTo', { host });
  const lanes = lanesOf(actions);
  expect(lanes.map(({ title }) => title)).toEqual([to('y'), to('z'), to('x')]);
  expect(lanes[0]?.actions.map(({ uuid }) => uuid)).toEqual(['vm-4', 'vm-2', 'vm-3']);
  expect(lanes[0]?.by_state).toEqual({ SUCCEEDED: 1, PENDING: 1, FAILED: 1 });
  const spread = [step('vm-1', 'PENDING', 'a', 'x'), step('vm-2', 'PENDING', 'a', 'y')];
  expect(lanesOf(spread).map(({ title }) => title)).toEqual([text('plan.laneFrom', { host: 'a' })]);
});

test('an action blocks the actions that waited for it and did not run', () => {
  const failed = step('a', 'FAILED', 'x', 'y');
  const actions = [
    failed,
    step('b', 'SKIPPED', 'x', 'y', ['a']),
    step('c', 'CANCELLED', 'x', 'y', ['b']),
    step('d', 'SUCCEEDED', 'x', 'y', ['a']),
    step('e', 'SKIPPED', 'x', 'y', ['d']),
  ];
  expect(blockedBy(failed, actions).map(({ uuid }) => uuid)).toEqual(['b', 'c']);
});

test('the critical path is the longest remaining chain, less the progress of running actions', () => {
  const actions = [
    step('done', 'SUCCEEDED', 'x', 'y'),
    step('runs', 'ONGOING', 'x', 'y', ['done']),
    step('long', 'PENDING', 'x', 'y', ['runs']),
    step('short', 'PENDING', 'x', 'y', ['runs']),
  ];
  const takes = new Map([
    ['runs', { takes: 60, startedAt: 1_000_000 }],
    ['long', { takes: 100, startedAt: null }],
    ['short', { takes: 10, startedAt: null }],
  ]);
  expect(criticalPath(actions, takes, 1_020_000)).toEqual({ seconds: 140, uuids: ['runs', 'long'] });
  expect(criticalPath([], takes, 0)).toEqual({ seconds: 0, uuids: [] });
});

test('2,000 actions in a chain are no problem', () => {
  const actions = Array.from({ length: 2000 }, (_unused, at) =>
    step(`vm-${at}`, 'PENDING', 'x', 'y', at === 0 ? [] : [`vm-${at - 1}`]),
  ).reverse();
  const estimates = new Map(actions.map(({ uuid }) => [uuid, { takes: 1, startedAt: null }]));
  expect(criticalPath(actions, estimates, 0).uuids).toHaveLength(2000);
});
