import { expect, it } from 'vitest';
import { isStale, type PlanStaleness, stalenessText } from './plan-staleness.ts';

const plan = (change: Partial<PlanStaleness>): PlanStaleness => ({
  hosts: 14,
  known: 14,
  changed: 12,
  migrations: 33,
  byOrder: false,
  gain: null,
  gainUnknownBecause: null,
  repeated: null,
  ...change,
});

const repeated = (obstacles: number) => ({ moves: 5, obstacles, firstObstacle: obstacles > 0 ? 'no room on b' : null });

it.each<[string, Partial<PlanStaleness>, boolean]>([
  ['no host changed', { changed: 0 }, false],
  ['a host changed and the gain is unknown', {}, true],
  ['a host changed and the gain is whole', { gain: { left: 0.95, promised: 16, now: 15.2 } }, false],
  ['a host changed and gain is lost', { gain: { left: 0.8, promised: 16, now: 12.8 } }, true],
  ['a host changed and all moves are possible', { migrations: 0, repeated: repeated(0) }, false],
  ['a host changed and a move is not possible', { migrations: 0, repeated: repeated(1) }, true],
  ['another plan moved instances and all moves are possible', { repeated: repeated(0) }, true],
  ['another plan moved instances and all moves by order are possible', { byOrder: true, repeated: repeated(0) }, false],
  ['no host changed and most of the gain is lost', { changed: 0, gain: { left: 0.4, promised: 10, now: 4 } }, true],
])('a plan is judged when %s', (_, change, stale) => {
  expect(isStale(plan(change))).toBe(stale);
});

it('the text names migrations, hosts and both gains', () => {
  expect(stalenessText(plan({ gain: { left: 0.25, promised: 16, now: 4 } }))).toBe(
    'made before 33 migrations on 12 of its 14 hosts: would now gain 4 points instead of 16 points',
  );
  expect(stalenessText(plan({ gainUnknownBecause: 'no answer' }))).toContain('its gain now is unknown (no answer)');
});

it('the text of a plan without a known gain names its first obstacle', () => {
  expect(stalenessText(plan({ byOrder: true, repeated: repeated(0) }))).toBe(
    'made before 33 migrations on 12 of its 14 hosts: all 5 moves are still possible',
  );
  expect(stalenessText(plan({ repeated: repeated(1) }))).toMatch(/: no room on b$/);
  expect(stalenessText(plan({ repeated: repeated(3) }))).toMatch(/: no room on b, and 2 other obstacles$/);
  const unknown = { repeated: repeated(0), gainUnknownBecause: 'no gain' };
  expect(stalenessText(plan(unknown))).toMatch(/on 12 of its 14 hosts; its gain now is unknown \(no gain\)$/);
});
