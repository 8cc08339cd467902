import { expect, it } from 'vitest';
import { hasGuest, type MoveWay, moveRefusal, moveRules, usualWay } from './server-moves.ts';

it.each<[string, number, string | null, MoveWay[], 'live' | 'cold' | null]>([
  ['active', 1, null, ['live', 'cold', 'evacuate'], 'live'],
  ['active', 4, null, ['cold', 'evacuate'], null],
  ['active', 0, null, ['cold', 'evacuate'], null],
  ['active', 1, 'migrating', [], null],
  ['paused', 3, null, ['live'], 'live'],
  ['stopped', 4, null, ['cold', 'evacuate'], 'cold'],
  ['stopped', 4, 'powering-on', [], null],
  ['error', 0, null, ['evacuate'], null],
  ['suspended', 4, null, [], null],
  ['resized', 1, null, [], null],
  ['building', 0, 'spawning', [], null],
  ['rescued', 1, null, [], null],
  ['shelved_offloaded', 4, null, [], null],
])('a server that is %s at power state %i with task %s moves by %j', (vmState, powerState, taskState, ways, usual) => {
  const server = { vmState, powerState, taskState };
  const allowed = (Object.keys(moveRules) as MoveWay[]).filter((way) => moveRefusal(way, server) === null);
  expect(allowed).toEqual(ways);
  expect(usualWay(server)).toBe(usual);
});

it('names the obstacles, the task first', () => {
  expect(moveRefusal('live', { vmState: 'stopped', powerState: 4, taskState: 'powering-on' })).toBe('task_state');
  expect(moveRefusal('live', { vmState: 'stopped', powerState: 4, taskState: null })).toBe('vm_state');
  expect(moveRefusal('live', { vmState: 'active', powerState: 4, taskState: null })).toBe('power_state');
  expect([0, 1, 3, 4, 6, 7].filter(hasGuest)).toEqual([1, 3]);
});
