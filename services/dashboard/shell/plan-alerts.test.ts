import { expect, test } from 'vitest';
import { createPlanAlerts } from './plan-alerts.ts';

const waiting = { approval: 'wanted', approvals: [] } as never;
const plan = (uuid: string, state: string, approval?: never) => ({
  ...{ uuid, state: state as never },
  ...(approval === undefined ? {} : { approval }),
});

test('the first state alerts of nothing', () => {
  const alertsOf = createPlanAlerts(true);
  expect(alertsOf([plan('a', 'FAILED'), plan('b', 'RECOMMENDED', waiting)])).toEqual([]);
});

test('a plan that fails alerts once', () => {
  const alertsOf = createPlanAlerts(true);
  alertsOf([plan('a', 'ONGOING')]);
  expect(alertsOf([plan('a', 'FAILED')])).toEqual([{ uuid: 'a', cause: 'failed' }]);
  expect(alertsOf([plan('a', 'FAILED')])).toEqual([]);
});

test('an old plan that a page reads later is no news', () => {
  const alertsOf = createPlanAlerts(true);
  alertsOf([]);
  expect(alertsOf([plan('old', 'FAILED')])).toEqual([]);
});

test('a plan that waits for approval alerts users with a right to approve', () => {
  const [alertsOf, others] = [createPlanAlerts(true), createPlanAlerts(false)];
  for (const one of [alertsOf, others]) one([]);
  expect(alertsOf([plan('a', 'RECOMMENDED', waiting)])).toEqual([{ uuid: 'a', cause: 'waits' }]);
  expect(others([plan('a', 'RECOMMENDED', waiting)])).toEqual([]);
  expect(alertsOf([plan('a', 'RECOMMENDED')])).toEqual([]);
});
