import { expect, test } from 'vitest';
import { at, makeRecord } from '../testing/soak-record.ts';
import { judgeRefusals } from './own-refusals.ts';

const filled = { start: 20, end: 25 };
const refused = { start: 30, end: 31, status: 'error', reason: 'No valid host was found.' };

/** Plan `b` is made before plan `a` fills compute-2, and runs after it. */
function twoPlans() {
  return makeRecord()
    .plan('a', { RECOMMENDED: 1, ONGOING: 19, SUCCEEDED: 26 })
    .plan('b', { RECOMMENDED: 10, ONGOING: 29, FAILED: 40 })
    .migrate('a', { from: 'compute-1', to: 'compute-2', ...filled });
}

test('the judge of refusals finds a destination that another plan filled after the plan was made', () => {
  const record = twoPlans()
    .migrate('b', { from: 'compute-3', to: 'compute-2', ...refused })
    .record();

  const { own, others } = judgeRefusals(record);

  expect(own).toHaveLength(1);
  expect(own[0]?.text).toMatch(/os-migrateLive of plan b .* on compute-3, compute-2 was refused \(No valid host/);
  expect(own[0]?.ids).toEqual(expect.arrayContaining(['a', 'b']));
  expect(others).toBe(0);
});

test('the judge of refusals finds a request that Nova refused with a status, on a host that another plan disabled', () => {
  const record = makeRecord()
    .plan('a', { RECOMMENDED: 1, ONGOING: 19, SUCCEEDED: 26 })
    .plan('b', { RECOMMENDED: 10, ONGOING: 29, FAILED: 40 })
    .setService('a', 'compute-2', 'disabled', 20)
    .migrate('b', { from: 'compute-3', to: 'compute-2', start: 30, end: 30, response: 409 })
    .record();

  expect(judgeRefusals(record).own).toHaveLength(1);
});

test.each([
  ['changed other hosts', { from: 'compute-3', to: 'compute-4' }],
  ['was over before the plan was made', { from: 'compute-3', to: 'compute-2' }],
])('the judge of refusals counts a refusal apart when the other plan %s', (reason, move) => {
  const created = reason.startsWith('was over') ? 28 : 10;
  const record = makeRecord()
    .plan('a', { RECOMMENDED: 1, ONGOING: 19, SUCCEEDED: 26 })
    .plan('b', { RECOMMENDED: created, ONGOING: 29, FAILED: 40 })
    .migrate('a', { from: 'compute-1', to: 'compute-2', ...filled })
    .migrate('b', { ...move, ...refused })
    .record();

  expect(judgeRefusals(record)).toEqual({ own: [], others: 1, obstructed: 0 });
});

test('the judge of refusals blames a dead host and not the other plan', () => {
  const record = twoPlans()
    .migrate('b', { from: 'compute-3', to: 'compute-2', ...refused })
    .record({ outages: [{ host: 'compute-2', fromMs: at(28), toMs: null }] });

  expect(judgeRefusals(record)).toEqual({ own: [], others: 1, obstructed: 0 });
});

test('the judge of refusals accepts completed and cancelled migrations', () => {
  const record = twoPlans()
    .migrate('b', { from: 'compute-3', to: 'compute-2', start: 30, end: 35 })
    .migrate('b', { from: 'compute-3', to: 'compute-2', start: 30, end: 35, status: 'cancelled' })
    .record();

  expect(judgeRefusals(record)).toEqual({ own: [], others: 0, obstructed: 0 });
});

test('the judge of refusals counts actions that Vigil failed before a request on hosts of another plan', () => {
  const record = twoPlans().record();
  const input = { source_node: 'compute-3', destination_node: 'compute-2' };
  const states = [{ state: 'FAILED', atMs: at(31) }];
  const action = { uuid: 'x', planUuid: 'b', type: 'migrate', input, states, message: 'no room' };

  expect(judgeRefusals({ ...record, actions: new Map([...record.actions, ['x', action]]) })).toMatchObject({
    ...{ own: [], obstructed: 1 },
  });
});
