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
    /the deviation of CPU is 0.169, the cloud had 0.0500 from 12:00:30 to 12:01:00$/,
  );
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
  const record = (second: number) =>
    makeRecord()
      .plan('a', { RECOMMENDED: 0, SUCCEEDED: 31 }, { outcome: { after: { measured_at: iso(60), cluster: {} } } })
      .plan('b', { RECOMMENDED: 0 })
      .migrate('a', { from: 'compute-1', to: 'compute-2', start: 20, end: 30 })
      .migrate('b', { from: 'compute-2', to: 'compute-3', start: second, end: second + 2 })
      .record();

  expect(judgeOutcomes(record(40), room).untrue[0]?.text).toMatch(
    /: it counts as an effect, but plan b changed the same hosts$/,
  );
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
