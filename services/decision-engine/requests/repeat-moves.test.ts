import { expect, it } from 'vitest';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { repeatMoves } from './repeat-moves.ts';

/** Host `a` holds two instances of 2 CPUs, and `b` has room for two, `c` for one. */
const hosts = [
  { hostname: 'a', vcpus: 8 },
  { hostname: 'b', vcpus: 4 },
  { hostname: 'c', vcpus: 2 },
].map((host) => ({ ...host, memory: 8192 }));
const instance = (name: string, host = 'a') => ({ name, host, vcpus: 2, memory: 1024 });
const world = (instances = [instance('vm-0'), instance('vm-1')]) => createTestWorld({ hosts, instances });

const migrate = (name: string, to: string | null, from = 'a') => ({
  actionType: 'migrate',
  inputParameters: { migration_type: 'live', resource_id: testUuid(name), source_node: from, destination_node: to },
});
const disable = (host: string) => ({
  actionType: 'change_nova_service_state',
  inputParameters: { resource_name: host, state: 'disabled' },
});
const emptied = { hosts: [{ hostname: 'a', after: { instances: 0 } }] };

it('moves that are possible in sequence have no obstacle', () => {
  const actions = [disable('a'), migrate('vm-0', 'b'), migrate('vm-1', 'b')];
  expect(repeatMoves(world(), actions, emptied)).toEqual({ moves: 2, obstacles: 0, firstObstacle: null });
});

it.each([
  [
    'the room that an earlier move of the plan took',
    [migrate('vm-0', 'c'), migrate('vm-1', 'c')],
    /vm-1 cannot move to host c: vcpu/,
  ],
  ['an instance that is gone', [migrate('vm-9', 'b')], /no longer exists/],
  ['an instance on another host than planned', [migrate('vm-0', 'b', 'c')], /vm-0 is on host a instead of c/],
  [
    'an instance that no host can take',
    [...['b', 'c'].map(disable), migrate('vm-0', null)],
    /no host can take instance vm-0/,
  ],
  ['a destination that is gone', [migrate('vm-0', 'z')], /host z no longer exists/],
  ['a destination that the plan disables before', [disable('b'), migrate('vm-0', 'b')], /host-disabled/],
])('%s is an obstacle', (_, actions, text) => {
  expect(repeatMoves(world(), actions, null)).toMatchObject({
    obstacles: 1,
    firstObstacle: expect.stringMatching(text),
  });
});

it('a move that was made already, and one whose destination Nova chooses, are possible', () => {
  const moved = world([instance('vm-0', 'b'), instance('vm-1')]);
  expect(repeatMoves(moved, [migrate('vm-0', 'b'), migrate('vm-1', null)], null).obstacles).toBe(0);
});

it('a host that the plan empties must not keep instances that started later', () => {
  const later = world([instance('vm-0'), instance('vm-1'), instance('vm-2')]);
  const moves = [migrate('vm-0', 'b'), migrate('vm-1', 'b')];
  expect(repeatMoves(later, moves, emptied).obstacles).toBe(0);
  expect(repeatMoves(later, [disable('a'), ...moves], emptied)).toMatchObject({
    obstacles: 1,
    firstObstacle: 'host a would keep 1 more instance than planned',
  });
});
