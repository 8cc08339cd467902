import { expect, test } from 'vitest';
import type { LiveKinds } from '../../live/live-entities.ts';
import { groupActions, maxBoxes, statesOf } from './graph-groups.ts';

type Action = LiveKinds['action'];
const migrate = (uuid: string, from: string, parents: string[] = [], state = 'PENDING') =>
  ({
    uuid,
    parents,
    state,
    action_type: 'migrate',
    input_parameters: { source_node: from, destination_node: 'z', resource_name: uuid },
  }) as unknown as Action;

test('actions with the same route and stage are one box, with the dependencies of all of them', () => {
  const actions = [
    migrate('a1', 'a', [], 'SUCCEEDED'),
    migrate('a2', 'a', [], 'FAILED'),
    migrate('b1', 'b'),
    migrate('c1', 'c', ['a1', 'b1']),
    migrate('c2', 'c', ['a2']),
  ];
  const boxes = groupActions(actions, new Set());
  const first = boxes.find((box) => box.kind === 'group' && box.actions.length === 2 && box.parents.length === 0);
  const last = boxes.at(-1);
  expect(boxes.map(({ kind }) => kind).sort()).toEqual(['action', 'group', 'group']);
  expect([...(last?.parents ?? [])].sort()).toEqual([first?.uuid, 'b1'].sort());
  expect(first?.kind === 'group' && statesOf(first)).toEqual([
    ['FAILED', 1],
    ['SUCCEEDED', 1],
  ]);
  const opened = groupActions(actions, new Set([first?.uuid ?? '']));
  expect(opened.map(({ uuid }) => uuid)).toContain('a2');
  expect(opened.find(({ uuid }) => uuid === last?.uuid)?.parents.toSorted()).toEqual(['a1', 'a2', 'b1']);
});

test('2,000 actions with different routes are still few boxes', () => {
  const actions = Array.from({ length: 2000 }, (_, at) =>
    migrate(`m${at}`, `host-${at}`, at < 500 ? [] : [`m${at - 500}`]),
  );
  const boxes = groupActions(actions, new Set());
  expect(boxes.length).toBeLessThanOrEqual(maxBoxes);
  expect(boxes).toHaveLength(4);
  expect(boxes.at(-1)?.parents).toHaveLength(1);
});
