import { expect, test } from 'vitest';
import { effectText } from './outcome-effect.ts';
import { outcomeRows, planFacts } from './outcome-rows.ts';

const indicators = [
  { name: 'instance_migrations_count', value: 43 },
  { name: 'standard_deviation_before_audit', value: 0.2569 },
  { name: 'standard_deviation_after_audit', value: 0.1 },
];
/** The strategy was run before the first action and after the last. Its predictions are in the response too. */
const measured = {
  measurement: { state: 'ACHIEVED' as const },
  before: {
    goal: {
      instance_migrations_count: 43,
      standard_deviation_before_audit: 0.25,
      standard_deviation_after_audit: 0.09,
    },
    cluster: { hosts_empty: 10 },
  },
  after: {
    goal: {
      instance_migrations_count: 64,
      standard_deviation_before_audit: 0.11,
      standard_deviation_after_audit: 0.03,
    },
    cluster: { hosts_empty: 0 },
  },
};

test('only measured values are called measured, never a prediction of the next plan', () => {
  expect(outcomeRows({ indicators, strategy: null }, measured)).toEqual([
    {
      title: 'Deviation of load across hosts',
      planned: '25.7\u00a0%',
      predicted: '10.0\u00a0%',
      before: '25.0\u00a0%',
      achieved: '11.0\u00a0%',
    },
    { title: 'Hosts without instances', planned: '–', predicted: '–', before: '10', achieved: '0' },
  ]);
  expect(planFacts(indicators).map(({ name }) => name)).toEqual(['instance_migrations_count']);
});

test('the points of a search are no measured quantity: after a plan, they count from its new state', () => {
  const points = [
    { name: 'points_before_audit', value: 100 },
    { name: 'points_after_audit', value: 15.6 },
    { name: 'moved_memory', value: 40 },
  ];
  const goal = { points_before_audit: 100, points_after_audit: 60 };
  const rows = outcomeRows(
    { indicators: points, strategy: null },
    { ...measured, before: { goal, cluster: {} }, after: { goal, cluster: {} } },
  );
  expect(rows).toEqual([]);
  expect(planFacts(points).map(({ name }) => name)).toEqual(['moved_memory']);
});

test.each([
  ['NOT_MEASURED', { reason: 'before: no result' }, 'before: no result'],
  ['NOT_ATTRIBUTABLE', { overlaps: ['p1', 'p2'] }, 'p1, p2'],
] as const)('a value of a plan that is %s does not count as achieved', (state, rest, effect) => {
  const measurement = { state, ...rest };
  const rows = outcomeRows({ indicators, strategy: null }, { ...measured, measurement });
  expect(rows.map(({ before, achieved }) => [before, achieved])).toEqual([
    ['25.0\u00a0%', '–'],
    ['10', '–'],
  ]);
  expect(effectText(measurement)).toContain(effect);
});

test.each([
  ['workload_balance', 'Deviation of load across hosts', '25.7\u00a0%'],
  ['storage_capacity_balance', 'Deviation of use over pools', '25.7\u00a0%'],
  ['allocation_balance', 'Deviation of allocation across hosts', '0.26'],
])('the deviation of %s is titled by its subject', (strategy, title, planned) => {
  expect(outcomeRows({ indicators, strategy }, null)).toMatchObject([{ title, planned }]);
});
