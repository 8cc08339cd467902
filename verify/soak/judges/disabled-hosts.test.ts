import { expect, test } from 'vitest';
import { makeRecord } from '../testing/soak-record.ts';
import { judgeDisabledHosts } from './disabled-hosts.ts';

const disabled = { status: 'disabled' as const, servers: 7 };
const plan = () =>
  makeRecord().plan('a', { RECOMMENDED: 0, ONGOING: 10, SUCCEEDED: 60 }).setService('a', 'compute-1', 'disabled', 20);

test('the judge of hosts finds a host in use that stays disabled three minutes after its plan', () => {
  const faults = judgeDisabledHosts(plan().sample(20, 600, [disabled]).record());

  expect(faults.map(({ text }) => text)).toEqual([
    'compute-1 is disabled with 7 servers at 12:04:00: plan a (basic) disabled it at 12:00:20 and ended SUCCEEDED at 12:01:00 (no message)',
  ]);
});

test('the judge of hosts finds a host that is disabled at the end of a short soak', () => {
  const record = plan().sample(20, 119, [disabled]).record();

  expect(judgeDisabledHosts({ ...record, endMs: record.startMs + 120_000 })).toHaveLength(1);
  expect(judgeDisabledHosts({ ...record, endMs: record.startMs + 70_000 })).toEqual([]);
});

test.each([
  ['was emptied', () => plan().sample(20, 600, [{ ...disabled, servers: 0 }])],
  [
    'was enabled again',
    () =>
      plan()
        .setService('a', 'compute-1', 'enabled', 61)
        .sample(20, 60, [disabled])
        .sample(62, 600, [{ servers: 7 }]),
  ],
  [
    'was disabled by an operator later',
    () =>
      plan()
        .setService('a', 'compute-1', 'enabled', 61)
        .setService(null, 'compute-1', 'disabled', 70)
        .sample(20, 600, [disabled]),
  ],
  [
    'belongs to a plan that still runs',
    () =>
      makeRecord()
        .plan('a', { RECOMMENDED: 0, ONGOING: 10 })
        .setService('a', 'compute-1', 'disabled', 20)
        .sample(20, 600, [disabled]),
  ],
])('the judge of hosts accepts a host that %s', (_what, make) => {
  expect(judgeDisabledHosts(make().record())).toEqual([]);
});
