import { expect, it } from 'vitest';
import { eventsOf, type NotifiedKind } from './events-of.ts';

/** Watcher's event table: each change of state, with its events beside `<kind>.update`. */
const table: [NotifiedKind, from: string, to: string, told: string][] = [
  ['audit', 'PENDING', 'ONGOING', 'audit.strategy.start info AuditActionPayload'],
  [
    'audit',
    'ONGOING',
    'SUCCEEDED',
    'audit.strategy.end info AuditActionPayload, audit.planner.start info AuditActionPayload, audit.planner.end info AuditActionPayload',
  ],
  ['audit', 'ONGOING', 'FAILED', 'audit.strategy.error error AuditActionPayload strategy'],
  ['audit', 'PENDING', 'FAILED', 'audit.strategy.error error AuditActionPayload strategy'],
  ['audit', 'ONGOING', 'CANCELLED', ''],
  ['action_plan', 'RECOMMENDED', 'PENDING', ''],
  ['action_plan', 'RECOMMENDED', 'SUPERSEDED', ''],
  ['action_plan', 'PENDING', 'CANCELLED', ''],
  ['action_plan', 'PENDING', 'ONGOING', 'action_plan.execution.start info ActionPlanActionPayload'],
  ['action_plan', 'ONGOING', 'SUCCEEDED', 'action_plan.execution.end info ActionPlanActionPayload'],
  ['action_plan', 'ONGOING', 'FAILED', 'action_plan.execution.error error ActionPlanActionPayload execution'],
  ['action_plan', 'ONGOING', 'CANCELLING', 'action_plan.cancel.start info ActionPlanCancelPayload'],
  ['action_plan', 'CANCELLING', 'CANCELLED', 'action_plan.cancel.end info ActionPlanCancelPayload'],
  ['action_plan', 'CANCELLING', 'FAILED', 'action_plan.cancel.error error ActionPlanCancelPayload cancel'],
  ['action', 'PENDING', 'SKIPPED', ''],
  ['action', 'PENDING', 'ONGOING', 'action.execution.start info ActionExecutionPayload'],
  ['action', 'ONGOING', 'SUCCEEDED', 'action.execution.end info ActionExecutionPayload'],
  ['action', 'PENDING', 'FAILED', 'action.execution.error error ActionExecutionPayload execution'],
  ['action', 'ONGOING', 'FAILED', 'action.execution.error error ActionExecutionPayload execution'],
  ['action', 'ONGOING', 'CANCELLING', 'action.cancel.start info ActionCancelPayload'],
  ['action', 'CANCELLING', 'CANCELLED', 'action.cancel.end info ActionCancelPayload'],
  ['action', 'CANCELLING', 'SUCCEEDED', 'action.cancel.end info ActionCancelPayload'],
  ['action', 'CANCELLING', 'FAILED', 'action.cancel.error error ActionCancelPayload cancel'],
];

it.each(table)('%s %s to %s', (kind, oldState, state, reported) => {
  const [row, ...phases] = eventsOf(kind, { op: 'update', oldState, state, runPhase: null });
  expect(row).toMatchObject({ eventType: `${kind}.update`, priority: 'info', beside: 'update' });
  const words = phases.map(({ eventType, priority, payloadName, failedIn }) =>
    [eventType, priority, payloadName, failedIn].filter(Boolean).join(' '),
  );
  expect(words.join(', ')).toBe(reported);
});

it.each([
  ['begun', ['audit.strategy.start']],
  ['succeeded', ['audit.strategy.end', 'audit.planner.start', 'audit.planner.end']],
  ['failed', ['audit.strategy.error']],
] as const)('a run of a CONTINUOUS audit, which stays ONGOING, has %s', (runPhase, reported) => {
  const events = eventsOf('audit', { op: 'update', oldState: null, state: 'ONGOING', runPhase });
  expect(events.map(({ eventType }) => eventType)).toEqual(['audit.update', ...reported]);
});

const planningFailed = ['audit.strategy.end', 'audit.planner.start', 'audit.planner.error'];

it.each([
  ['a run of a CONTINUOUS audit', null, 'ONGOING', 'failed', 'planner', planningFailed],
  ['a run of a CONTINUOUS audit', null, 'ONGOING', 'failed', 'strategy', ['audit.strategy.error']],
  ['a change of a CONTINUOUS audit afterwards', null, 'ONGOING', null, 'planner', []],
  ['a run before its strategy begins', null, 'ONGOING', 'failed', null, ['audit.strategy.error']],
  ['a ONESHOT audit', 'ONGOING', 'FAILED', null, 'planner', planningFailed],
  ['a ONESHOT audit', 'ONGOING', 'FAILED', null, 'strategy', ['audit.strategy.error']],
  ['a cancelled ONESHOT audit', 'ONGOING', 'CANCELLED', null, 'planner', []],
] as const)('%s (%s, %s, %s) that failed in its %s', (_what, oldState, state, runPhase, failedIn, reported) => {
  const [, ...phases] = eventsOf('audit', { op: 'update', oldState, state, runPhase, failedIn });
  expect(phases.map(({ eventType }) => eventType)).toEqual(reported);
  const errors = phases.filter(({ priority }) => priority === 'error');
  expect(errors.map((event) => event.failedIn)).toEqual(
    reported.filter((type) => type.endsWith('.error')).map((type) => type.split('.')[1]),
  );
});

it.each([
  ['audit', 'Audit'],
  ['action_plan', 'ActionPlan'],
  ['action', 'Action'],
] as const)('%s is published when it is made, saved and deleted', (kind, name) => {
  const reported = (op: 'create' | 'update' | 'delete') =>
    eventsOf(kind, { op, oldState: null, state: 'PENDING', runPhase: null }).map(({ eventType, payloadName }) => [
      eventType,
      payloadName,
    ]);
  expect(reported('create')).toEqual([[`${kind}.create`, `${name}CreatePayload`]]);
  expect(reported('update')).toEqual([[`${kind}.update`, `${name}UpdatePayload`]]);
  expect(reported('delete')).toEqual([
    [`${kind}.update`, `${name}UpdatePayload`],
    [`${kind}.delete`, `${name}DeletePayload`],
  ]);
});
