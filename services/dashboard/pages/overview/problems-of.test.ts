import { expect, test } from 'vitest';
import { text } from '../../texts/texts.ts';
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
  deadLetters: 0,
  failedTasks: 0,
  audits: [{ uuid: 'u1', state: 'SUCCEEDED', updated_at: ago(1) }],
  plans: [{ uuid: 'p1', state: 'ONGOING', paused: false }],
  now,
};

test('the list is empty while everything works, and omits old failures', () => {
  expect(problemsOf(fine)).toEqual([]);
  expect(problemsOf({ ...fine, audits: [{ uuid: 'u1', state: 'FAILED', updated_at: ago(25) }] })).toEqual([]);
  expect(problemsOf({ deadLetters: 0, failedTasks: 0, audits: [], plans: [], now })).toEqual([]);
});

test('the list has every problem with its page, serious ones first', () => {
  const problems = problemsOf({
    checks: [{ name: 'keystone', ok: false, reason: 'no response', duration_ms: 1 }] as Known['checks'],
    services: [
      { name: 'watcher-applier', host: 'a', status: 'Failed', degraded: false, registered: true },
      { name: 'scheduler', host: 'b', status: 'NotRunning', degraded: true, registered: true },
    ],
    cluster: { complete: false, totals: { hosts: 8, hosts_up: 7 } } as Known['cluster'],
    deadLetters: 2,
    failedTasks: 1,
    audits: [{ uuid: 'u1', name: 'nightly', state: 'FAILED', updated_at: ago(1), status_message: 'no metrics' }],
    plans: [
      { uuid: 'p1-and-more', state: 'FAILED', updated_at: ago(2), paused: false, audit_name: 'weekly' },
      { uuid: 'p2', state: 'ONGOING', paused: true },
    ],
    now,
  });
  expect(problems.map(({ text: words, to, isSerious }) => [words, to, isSerious])).toEqual([
    [text('problem.unusable', { what: 'Keystone', reason: ', no response' }), '/services', true],
    [text('problem.notRunning', { name: 'watcher-applier', host: 'a' }), '/services', true],
    [text('problem.failing', { name: 'scheduler', host: 'b' }), '/services', true],
    ['Action plan p1-and-m of weekly failed', '/plans/p1-and-more', true],
    [text('problem.auditFailed', { audit: 'nightly', reason: ': no metrics' }), '/audits/u1', true],
    [text('problem.gaps'), '/cluster', false],
    [text('problem.down', { count: 1 }), '/cluster?sort=state', false],
    [text('problem.paused', { plan: 'p2' }), '/plans/p2', false],
    [text('problem.tasks', { count: 1 }), '/dead-letters?tab=tasks', false],
    [text('problem.deadLetters', { count: 2 }), '/dead-letters?tab=messages', false],
  ]);
});
