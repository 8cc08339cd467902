import { expect, test } from 'vitest';
import { at, makeRecord } from '../testing/soak-record.ts';
import { judgeOutcomes } from './outcomes.ts';

const room = { vcpus: 100, memoryMb: 1000 };
const iso = (second: number) => new Date(at(second)).toISOString();

/** Two hosts, crooked until second 30 and even from then on. A plan that runs from 20 to 30. */
function world(outcome: Record<string, unknown>, strategy = 'balance_optimizer') {
  const host = (VCPU: number, cpu_percent: number) => ({ used: { VCPU, MEMORY_MB: 0 }, cpu_percent });
  return makeRecord()
    .plan('a', { RECOMMENDED: 0, ONGOING: 15, SUCCEEDED: 31 }, { strategy, outcome })
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 20, end: 30 })
    .sample(0, 19, [host(60, 90), host(20, 10)])
    .sample(31, 100, [host(40, 55), host(40, 45)])
    .record();
}

test('the judge of outcomes accepts numbers that the cloud confirms within one point', () => {
  const record = world({
    before: { measured_at: iso(16), cluster: { hosts: 2, hosts_empty: 0, instances: 2, vcpu_share_deviation: 0.205 } },
    after: { measured_at: iso(60), cluster: { hosts: 2, vcpu_share_deviation: 0 } },
  });

  expect(judgeOutcomes(record, room)).toEqual({ untrue: [], measured: 2, notMeasured: 0, notAttributable: 0 });
});

test('the judge of outcomes finds a before that was measured after the first request', () => {
  const record = world({ before: { measured_at: iso(45), cluster: { vcpu_share_deviation: 0 } } });

  const { untrue } = judgeOutcomes(record, room);

  expect(untrue.map(({ text }) => text)).toEqual([
    'before of plan a (balance_optimizer, SUCCEEDED at 12:00:31), measured at 12:00:45: it was measured 25.0 s after the first request of the ' +
      'plan; vcpu_share_deviation is 0, the cloud had 0.2',
  ]);
});

test.each([
  [
    'a spread that is off by more than a point',
    { vcpu_share_deviation: 0.02 },
    /vcpu_share_deviation is 0.02, the cloud had 0$/,
  ],
  ['a wrong number of empty hosts', { hosts_empty: 1 }, /hosts_empty is 1, the cloud had 0$/],
])('the judge of outcomes finds %s', (_what, cluster, text) => {
  const record = world({ after: { measured_at: iso(60), cluster } });

  expect(judgeOutcomes(record, room).untrue[0]?.text).toMatch(text);
});

test('the judge of outcomes compares the deviation of CPU with the load since the end of the plan', () => {
  const after = (value: number) => ({
    after: { measured_at: iso(60), cluster: {}, goal: { standard_deviation_before_audit: value } },
  });

  expect(judgeOutcomes(world(after(0.05), 'workload_stabilization'), room).untrue).toEqual([]);
  // The window of the metrics reached back to the time before the plan.
  expect(judgeOutcomes(world(after(0.169), 'workload_stabilization'), room).untrue[0]?.text).toMatch(
    /the deviation of CPU is 0.169, the cloud had 0.05 from 12:00:30 to 12:01:00$/,
  );
});

/** Two hosts in use and a third one, disabled until second 30 and loaded as given by second. */
function reopened(third: (second: number) => number, value: number) {
  const measured = { measured_at: iso(45), window_start: iso(0), window_end: iso(45), cluster: {} };
  const before = { ...measured, goal: { standard_deviation_before_audit: value } };
  const maker = makeRecord()
    .plan('a', { RECOMMENDED: 0, SUCCEEDED: 60 }, { strategy: 'workload_stabilization', outcome: { before } })
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 50, end: 55 });
  for (let second = 0; second <= 60; second += 1) {
    const status = second < 30 ? 'disabled' : 'enabled';
    maker.sample(second, second, [{ cpu_percent: 40 }, { cpu_percent: 40 }, { status, cpu_percent: third(second) }]);
  }
  return judgeOutcomes(maker.record(), room).untrue;
}

test('the judge of outcomes averages a host in use over the whole window, also when it was enabled in between', () => {
  // 46 samples: 30 of 70 % and 16 of 40 %, a mean of 59.6 %.
  const third = (second: number) => (second < 30 ? 70 : 40);

  expect(reopened(third, 0.092)).toEqual([]);
  expect(reopened(third, 0)[0]?.text).toMatch(/the deviation of CPU is 0, the cloud had 0\.08\d+ to 0\.09\d+ from/);
});

test('the judge of outcomes leaves hosts out of the spread that were not in use when the hosts were read', () => {
  const goal = { standard_deviation_before_audit: 0 };
  const window = { window_start: iso(0), window_end: iso(45) };
  const host = (status: 'enabled' | 'disabled') => [{ cpu_percent: 40 }, { cpu_percent: 40 }, { status }];
  const record = makeRecord()
    .plan(
      'a',
      { RECOMMENDED: 0, SUCCEEDED: 60 },
      {
        strategy: 'workload_stabilization',
        outcome: { before: { measured_at: iso(45), ...window, cluster: {}, goal } },
      },
    )
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 50, end: 55 })
    .sample(0, 39, host('enabled'))
    .sample(40, 60, host('disabled'))
    .record();

  expect(judgeOutcomes(record, room).untrue).toEqual([]);
});

test('the judge of outcomes allows for the moments at which the load is stored', () => {
  // Second 43 to 45 belong to one of five phases each: one in 9 stored values, or none.
  const third = (second: number) => (second >= 43 ? 100 : 40);

  expect(reopened(third, 0)).toEqual([]);
  expect(reopened(third, 0.031)).toEqual([]);
  expect(reopened(third, 0.05)).toHaveLength(1);
});

test('the judge of outcomes compares no spread of a window for which it lacks samples', () => {
  const goal = { standard_deviation_before_audit: 0.3 };
  const after = { measured_at: iso(60), window_start: iso(31), window_end: iso(60), cluster: {}, goal };
  const record = world({ after }, 'workload_stabilization');
  const isOutside = (atMs: number) => atMs < at(40) || atMs > at(46);

  expect(judgeOutcomes(record, room).untrue).toHaveLength(1);
  const samples = record.samples.filter(({ atMs }) => isOutside(atMs));
  expect(judgeOutcomes({ ...record, samples }, room).untrue).toEqual([]);
});

test('the judge of outcomes finds a before whose window reaches over a move of another plan', () => {
  const record = (start: number, scope: string[]) => {
    const before = { measured_at: iso(45), window_start: iso(start), window_end: iso(45), cluster: {} };
    return makeRecord()
      .plan('a', { RECOMMENDED: 0, SUCCEEDED: 60 }, { outcome: { before } })
      .plan('b', { RECOMMENDED: 0 })
      .migrate('a', { from: 'compute-1', to: 'compute-2', start: 50, end: 55 })
      .migrate('b', { from: 'compute-2', to: 'compute-3', start: 20, end: 30 })
      .migrate('b', { from: 'compute-2', to: 'compute-3', start: 40, end: 48 })
      .setService('b', 'compute-2', 'disabled', 40)
      .record({ scopes: new Map([['audit', new Set(scope)]]) });
  };
  const texts = (start: number, scope: string[]) =>
    judgeOutcomes(record(start, scope), room).untrue.map(({ text }) => text);

  expect(texts(20, ['compute-3'])[0]).toMatch(/: its window starts 10\.0 s before the last change that plan b made$/);
  expect(texts(31, ['compute-3'])).toEqual([]);
  expect(texts(20, ['compute-1'])).toEqual([]);
});

test('the judge of outcomes counts phases that are not measured or not attributable apart', () => {
  const after = { measured_at: iso(60), cluster: { hosts_empty: 9 } };
  const overlapped = { state: 'NOT_ATTRIBUTABLE', overlaps: ['b'] };
  const missed = { state: 'NOT_MEASURED', reason: 'before: no result in 30 s' };

  expect(judgeOutcomes(world({ after, measurement: overlapped }), room)).toEqual({
    ...{ untrue: [], measured: 0, notMeasured: 0, notAttributable: 1 },
  });
  expect(judgeOutcomes(world({ measurement: missed }), room)).toEqual({
    ...{ untrue: [], measured: 0, notMeasured: 2, notAttributable: 0 },
  });
});

test('the judge of outcomes finds an effect whose hosts another plan changed too', () => {
  const record = (second: number, measurement: object = {}) =>
    makeRecord()
      .plan(
        'a',
        { RECOMMENDED: 0, SUCCEEDED: 31 },
        { outcome: { after: { measured_at: iso(60), cluster: {} }, measurement } },
      )
      .plan('b', { RECOMMENDED: 0 })
      .migrate('a', { from: 'compute-1', to: 'compute-2', start: 20, end: 30 })
      .migrate('b', { from: 'compute-2', to: 'compute-3', start: second, end: second + 2 })
      .record();

  expect(judgeOutcomes(record(40), room).untrue[0]?.text).toMatch(
    /: it counts as an effect, but plan b changed the same hosts$/,
  );
  expect(judgeOutcomes(record(40, { state: 'NOT_MEASURED' }), room).untrue).toEqual([]);
  expect(judgeOutcomes(record(10), room).untrue).toEqual([]);
  expect(judgeOutcomes(record(70), room).untrue).toEqual([]);
});

test('the judge of outcomes finds a window that starts before the last effect', () => {
  const after = { measured_at: iso(60), window_start: iso(25), window_end: iso(60), cluster: {} };

  expect(judgeOutcomes(world({ after }), room).untrue[0]?.text).toMatch(
    /: its window starts 5.0 s before the last effect of the plan$/,
  );
});

test('the judge of outcomes counts only the hosts of the scope of the audit', () => {
  const record = world({ after: { measured_at: iso(60), cluster: { hosts: 1 } } });

  expect(judgeOutcomes(record, room).untrue).toHaveLength(1);
  const scopes = new Map([['audit', new Set(['compute-1'])]]);
  expect(judgeOutcomes({ ...record, scopes }, room).untrue).toEqual([]);
});

test('the judge of outcomes does not pass numbers that it cannot read', () => {
  const record = world({ before: { measuredAt: iso(16), cluster: { hosts: 2 } } });

  expect(judgeOutcomes(record, room).untrue.map(({ text }) => text)).toEqual([
    'before of plan a has neither numbers that this judge knows nor a reason',
  ]);
});
