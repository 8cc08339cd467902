import { expect, test } from 'vitest';
import type { AuditPreview } from '#libs/client';
import { inFallingOrder } from './falling-order.ts';

type Proposed = AuditPreview['actions'][number];

/** An action that changes these quantities of hosts. */
function move(uuid: string, ...values: [subject: string, before: number | null, after: number | null][]): Proposed {
  const changes = values.map(([subject, before, after]) => ({ quantity: 'cpu', unit: '%', subject, before, after }));
  return {
    uuid,
    action_type: 'migrate',
    input_parameters: {},
    parents: [],
    reason: { rule: 'r', summary: uuid, values: changes, rejected: [] },
  };
}
const order = (...actions: Proposed[]) => inFallingOrder(actions).map(({ uuid }) => uuid);

test.each([
  ['by the load of the source', [move('c', ['a', 60, 50]), move('a', ['a', 80, 70]), move('b', ['a', 70, 60])], 'abc'],
  ['across hosts', [move('b', ['x', 20, 30]), move('c', ['y', 9, 8]), move('a', ['y', 10, 9], ['x', 10, 20])], 'abc'],
  ['of the plan without a relation', [move('a', ['a', 5, 4]), move('b'), move('c', ['b', 4, 3])], 'abc'],
  ['of the plan where the numbers return', [move('a', ['a', 1, 2]), move('b', ['a', 2, 1])], 'ab'],
  ['of the plan for values that stay', [move('a', ['a', 5, 5]), move('b', ['a', 5, 5])], 'ab'],
])('actions have the order %s', (_, actions, expected) => {
  expect(order(...actions)).toEqual([...expected]);
});
