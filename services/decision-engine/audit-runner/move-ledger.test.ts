import { expect, it } from 'vitest';
import { createMoveLedger, overdraftOf } from './move-ledger.ts';

const minute = 60_000;
const hour = 60 * minute;
const nowMs = Date.UTC(2026, 0, 2);

const move = (instance: string, agoMs: number | null, from: string | null = 'a', to: string | null = 'b') => ({
  ...{ instance, from, to, audit: 'any' },
  endedAt: agoMs === null ? null : new Date(nowMs - agoMs),
});

it.each([
  [1, [10 * minute], 20 * minute],
  [2, [5 * hour, 10 * minute], 50 * minute],
  [3, [6 * hour, 5 * hour, 10 * minute], 110 * minute],
])('an instance rests longer after each move of the last day: %i moves', (moves, ago, restMs) => {
  const recent = ago.map((one) => move('x', one));
  const { resting } = createMoveLedger(recent, nowMs, { coolDownMs: 30 * minute });
  const times = { untilMs: nowMs + restMs, repairFromMs: nowMs + 20 * minute };
  expect(resting).toEqual([{ uuid: 'x', moves, isOpposite: false, ...times }]);
});

it('moves of the day before and rests that have ended hold nothing back', () => {
  const recent = [move('x', 24 * hour), move('y', 31 * minute)];
  expect(createMoveLedger(recent, nowMs, { coolDownMs: 30 * minute }).resting).toEqual([]);
});

it('an instance whose budget is spent rests until the first of these moves is a day old', () => {
  const recent = [20, 15, 10].map((ago) => move('x', ago * hour));
  const { resting } = createMoveLedger(recent, nowMs, { instanceMovesPerDay: 2 });
  expect(resting).toMatchObject([{ uuid: 'x', moves: 3, untilMs: nowMs + 9 * hour }]);
});

it('an instance that an audit with the opposite aim moved rests for longer', () => {
  const recent = [move('x', 2 * hour), { ...move('y', 3 * hour), audit: 'opposite' }, move('y', 2 * hour)];
  const limits = { coolDownMs: 30 * minute, oppositeRestMs: 6 * hour };
  const { resting } = createMoveLedger(recent, nowMs, limits, new Set(['opposite']));
  expect(resting).toMatchObject([{ uuid: 'y', moves: 2, isOpposite: true, untilMs: nowMs + 3 * hour }]);
  expect(createMoveLedger(recent, nowMs, limits).resting).toEqual([]);
});

it('counts moves of the last hour, and those to come, by host and in the cloud', () => {
  const recent = [move('x', 61 * minute), move('y', 59 * minute), move('z', null, 'b', null), move('z', 1, 'a', 'a')];
  const { allowance, moves } = createMoveLedger(recent, nowMs, { hostMovesPerHour: 7, cloudMovesPerHour: 9 });
  expect(allowance).toEqual({ cloud: 3, hosts: { a: 2, b: 2 }, perHost: 7, perCloud: 9 });
  expect(Object.fromEntries(moves)).toEqual({ x: 1, y: 1, z: 2 });
});

const migrate = (instance: string, rule = 'test') => ({
  actionType: 'migrate',
  inputParameters: { resource_id: instance, resource_name: `vm-${instance}`, source_node: 'a', destination_node: 'b' },
  reason: { rule, summary: '', values: [], rejected: [] },
});

it.each([
  ['within all budgets', { instanceMovesPerDay: 2, hostMovesPerHour: 4, cloudMovesPerHour: 4 }, null],
  ['of the instance', { instanceMovesPerDay: 1 }, 'vm-x was moved 1 times in the last day'],
  ['of the host', { hostMovesPerHour: 2 }, '1 of at most 2 moves from and to a'],
  ['of the cloud', { cloudMovesPerHour: 2 }, '1 of at most 2 moves of the cloud'],
])('judges a plan by the budget %s', (_, limits, text) => {
  const ledger = createMoveLedger([move('x', minute)], nowMs, limits);
  const overdraft = overdraftOf(ledger, limits, [migrate('x'), migrate('y')], []);
  if (text === null) expect(overdraft).toBeNull();
  else expect(overdraft).toContain(text);
});

it('relief and repair draw from the budgets of hosts and cloud, and are not held back by them', () => {
  const limits = { hostMovesPerHour: 1, cloudMovesPerHour: 1 };
  const ledger = createMoveLedger([move('x', minute)], nowMs, limits);
  expect(overdraftOf(ledger, limits, [migrate('y', 'hot')], ['hot'])).toBeNull();
});
