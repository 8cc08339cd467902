import { expect, test } from 'vitest';
import { type Known, problemsOf } from './problems-of.ts';

const now = Date.UTC(2026, 10, 21, 3);
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const fine: Known = {
  checks: [{ name: 'keystone', ok: true, reason: null, duration_ms: 1 }] as Known['checks'],
  services: [
    { name: 'watcher-applier', host: 'a', status: 'Running', degraded: false, registered: true },
    { name: 'old', host: 'a', status: 'NotRunning', degraded: false, registered: false },
  ],
  cluster: { complete: true, totals: { hosts: 8, hosts_up: 8 } } as Known['cluster'],
  parked: 0,
  failedTasks: 0,
  audits: [{ uuid: 'u1', state: 'SUCCEEDED', updated_at: ago(1) }],
  plans: [{ uuid: 'p1', state: 'ONGOING', paused: false }],
  now,
};

test('nothing is told while everything works, nor of failures that are history', () => {
  expect(problemsOf(fine)).toEqual([]);
  expect(problemsOf({ ...fine, audits: [{ uuid: 'u1', state: 'FAILED', updated_at: ago(25) }] })).toEqual([]);
  expect(problemsOf({ parked: 0, failedTasks: 0, audits: [], plans: [], now })).toEqual([]);
});

test('everything that is wrong is told with where to go, the serious first', () => {
  const problems = problemsOf({
    checks: [{ name: 'keystone', ok: false, reason: 'no answer', duration_ms: 1 }] as Known['checks'],
    services: [
      { name: 'watcher-applier', host: 'a', status: 'Failed', degraded: false, registered: true },
      { name: 'scheduler', host: 'b', status: 'NotRunning', degraded: true, registered: true },
    ],
    cluster: { complete: false, totals: { hosts: 8, hosts_up: 7 } } as Known['cluster'],
    parked: 2,
    failedTasks: 1,
    audits: [{ uuid: 'u1', name: 'nightly', state: 'FAILED', updated_at: ago(1), status_message: 'no metrics' }],
    plans: [
      { uuid: 'p1-and-more', state: 'FAILED', updated_at: ago(2), paused: false },
      { uuid: 'p2', state: 'ONGOING', paused: true },
    ],
    now,
  });
  expect(problems.map(({ text, to, isSerious }) => [text, to, isSerious])).toEqual([
    ['Keystone: not usable, no answer', '/services', true],
    ['watcher-applier on a does not run', '/services', true],
    ['scheduler on b fails again and again', '/services', true],
    ['Action plan p1-and-m failed', '/plans/p1-and-more', true],
    ['Audit nightly failed: no metrics', '/audits/u1', true],
    ['A part of the cloud could not be read', '/cluster', false],
    ['1 host is down', '/cluster?sort=state', false],
    ['Action plan p2 is paused and waits for somebody to resume it', '/plans/p2', false],
    ['1 background task failed', '/dead-letters?tab=tasks', false],
    ['2 messages were given up', '/dead-letters?tab=messages', false],
  ]);
});
