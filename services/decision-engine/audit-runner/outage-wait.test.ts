import { expect, test } from 'vitest';
import { HistoryUnavailableError } from '#libs/history';
import { AuditRefusedError } from './errors.ts';
import { outageWait } from './run-end.ts';

const outage = new HistoryUnavailableError('influxdb', 'refused');

test('an outage is waited for with growing pauses, and not forever', () => {
  expect([0, 1, 2, 3, 4, 5].map((runs) => outageWait(outage, runs, 900_000))).toEqual([
    5000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
  expect(outageWait(outage, 1, 5000)).toBeNull();
  expect(outageWait(outage, 40, 900_000)).toBeNull();
});

test('permanent failures are not waited for', () => {
  expect(outageWait(new AuditRefusedError('no such strategy'), 0, 900_000)).toBeNull();
  expect(outageWait(new Error('defect'), 0, 900_000)).toBeNull();
});
