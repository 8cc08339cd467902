import { expect, test } from 'vitest';
import type { AuditRecord } from '../record.ts';
import { at, makeRecord } from '../testing/soak-record.ts';
import { judgeStuckWork } from './stuck-work.ts';

const textsOf = (...args: Parameters<typeof judgeStuckWork>) => judgeStuckWork(...args).map(({ text }) => text);

test('the judge of stuck work finds a plan that runs without progress', () => {
  const record = makeRecord().plan('a', { RECOMMENDED: 0, PENDING: 10, ONGOING: 20, SUCCEEDED: 400 }).record();

  expect(textsOf(record, true)).toEqual(['plan a (basic) was ONGOING for 380 s without progress']);
});

test('the judge of stuck work accepts a long plan whose actions progress', () => {
  const record = makeRecord()
    .plan('a', { RECOMMENDED: 0, PENDING: 10, ONGOING: 20, SUCCEEDED: 400 })
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 200, end: 210 })
    .record();
  for (const action of record.actions.values()) {
    action.states = [
      { state: 'ONGOING', atMs: at(200) },
      { state: 'SUCCEEDED', atMs: at(210) },
    ];
  }

  expect(textsOf(record, true)).toEqual([]);
});

test('the judge of stuck work finds a started plan that is open at the end', () => {
  const record = makeRecord().plan('a', { RECOMMENDED: 0, PENDING: 3500 }).plan('b', { RECOMMENDED: 0 }).record();

  expect(textsOf(record, true)).toEqual(['plan a (basic) is PENDING at the end (no message)']);
  expect(textsOf(record, false)).toEqual([]);
});

test('the judge of stuck work finds an action that runs for too long', () => {
  const record = makeRecord().plan('a', { RECOMMENDED: 0, ONGOING: 3200 }).record();
  const states = [{ state: 'ONGOING', atMs: at(3250) }];
  const action = { uuid: 'x', planUuid: 'a', type: 'migrate', input: {}, states, message: null };

  expect(textsOf({ ...record, actions: new Map([['x', action]]) }, false)).toContain(
    'action x (migrate) was ONGOING from 12:54:10 on for too long',
  );
});

test('the judge of stuck work finds a continuous audit whose run is overdue', () => {
  const audit = (nextRun: number): AuditRecord => ({
    ...{ uuid: 'u', name: 'night', type: 'CONTINUOUS', strategy: 'basic', message: null },
    states: [{ state: 'ONGOING', atMs: at(0) }],
    nextRunMs: at(nextRun),
  });
  const record = makeRecord().record();

  expect(textsOf({ ...record, audits: new Map([['u', audit(1000)]]) }, false)).toEqual([
    'audit night (basic) is ONGOING without a run since 12:16:40 (no message)',
  ]);
  expect(textsOf({ ...record, audits: new Map([['u', audit(3590)]]) }, false)).toEqual([]);
});
