import { expect, test } from 'vitest';
import { text } from '../texts/texts.ts';
import { type HeadedPlan, headlineParts } from './headline-parts.ts';

const headline = {
  live_migrations: 32,
  cold_migrations: 1,
  volume_moves: 0,
  other_actions: 0,
  memory: 419_840,
  hosts_freed: 0,
  side_effects: null,
  improvements: null,
  reserve_changes: null,
  indicators: [
    { name: 'standard_deviation_before_audit', unit: null, value: 0.2569 },
    { name: 'standard_deviation_after_audit', unit: null, value: 0.1 },
  ],
  duration: {
    seconds: { low: 118, high: 243 },
    remaining_seconds: { low: 118, high: 243 },
    measured_actions: 41,
    guessed_types: [],
  },
  rollback: 'exact' as const,
  gap: 0.12,
  made_by: null,
  started_by: null,
  started_at: null,
};

const moves = [text('gain.live', { count: 32 }), text('gain.cold', { count: 1 })];
const planOf = (its: HeadedPlan['headline'], state = 'RECOMMENDED') => ({ headline: its, strategy_name: null, state });

test('the headline shows the gain first, then the cost', () => {
  expect(headlineParts(planOf(headline))).toEqual({
    gain: ['Deviation of load across hosts 25.7\u00a0% → 10.0\u00a0%', text('gain.share', { share: '88\u00a0%' })],
    cost: [...moves, '410\u00a0GiB', `2\u00a0min to 4\u00a0min (${text('duration.measured', { count: 41 })})`],
    undo: [text('gain.exact')],
  });
});

test('the headline of a search is about loads of hosts and its part of the possible gain', () => {
  const improvements = [
    {
      quantity: 'cpu_load' as const,
      deviation: { before: 21, after: 6 },
      highest_before: 92,
      fullest: { hostname: 'h', before: 40, after: 61 },
    },
  ];
  const indicators = [
    { name: 'points_before_audit', unit: null, value: 100 },
    { name: 'points_after_audit', unit: null, value: 15.6 },
  ];
  const change = text('gain.fullest', { before: '92\u00a0%', after: '61\u00a0%' });
  const improved = text('gain.improved', { quantity: text('quantity.cpu_load'), change });
  const search = { ...headline, improvements, indicators, gap: null };
  expect(headlineParts(planOf(search)).gain).toEqual([improved, text('gain.share', { share: '84\u00a0%' })]);
  const bound = text('gain.share', { share: '94\u00a0%' });
  expect(headlineParts(planOf({ ...search, gap: 0.054 })).gain).toEqual([improved, bound]);
  expect(headlineParts(planOf({ ...search, gap: 0.004 })).gain).toEqual([improved, text('gain.best')]);
});

test('a plan that repairs a rule at the cost of its aim has no part of the possible gain', () => {
  const indicators = [
    { name: 'points_before_audit', unit: null, value: 100 },
    { name: 'points_after_audit', unit: null, value: 1420 },
  ];
  const repair = { ...headline, indicators, gap: null };
  expect(headlineParts(planOf(repair)).gain).toEqual([]);
  expect(headlineParts(planOf({ ...repair, gap: 14.2 })).gain).toEqual([]);
});

test('the headline counts the side effects', () => {
  const effect = {
    quantity: 'memory' as const,
    deviation: { before: 7, after: 22 },
    highest_before: 70,
    fullest: { hostname: 'h', before: 66, after: 94 },
  };
  expect(headlineParts(planOf({ ...headline, side_effects: [effect] })).cost).toContain(
    text('gain.sideEffects', { count: 1 }),
  );
});

test('a lost reserve is a side effect, a gained one is a gain', () => {
  const changes = [
    { domain: 'zone z1', change: 'lost' as const },
    { domain: 'zone z2', change: 'lost' as const },
    { domain: 'zone z3', change: 'gained' as const },
  ];
  const { gain, cost } = headlineParts(planOf({ ...headline, side_effects: [], reserve_changes: changes }));
  expect(gain).toContain(text('gain.reservesGained', { count: 1 }));
  expect(cost).toContain(text('gain.sideEffects', { count: 2 }));
});

test('the headline omits unknown values', () => {
  const none = { ...headline.duration, seconds: { low: 0, high: 0 } };
  const bare = {
    ...headline,
    indicators: [],
    memory: null,
    hosts_freed: null,
    gap: null,
    rollback: null,
    duration: none,
  };
  expect(headlineParts(planOf(bare))).toEqual({ gain: [], cost: moves, undo: [] });
});

test('a plan without actions promises nothing', () => {
  const empty = { ...headline, live_migrations: 0, cold_migrations: 0 };
  expect(headlineParts(planOf(empty))).toEqual({ gain: [], cost: [text('gain.nothing')], undo: [] });
});

test('the headline of an ended plan omits the duration', () => {
  const { cost } = headlineParts(planOf(headline, 'SUCCEEDED'));
  expect(cost).toEqual([...moves, '410\u00a0GiB']);
});
