import type { StateTable } from './state-table.ts';

/** Watcher's states of an action. */
export const actionStates = [
  'PENDING',
  'ONGOING',
  'SUCCEEDED',
  'FAILED',
  'SKIPPED',
  'CANCELLING',
  'CANCELLED',
  'DELETED',
] as const;
export type ActionState = (typeof actionStates)[number];

/** Events that may change the state of an action. See `actionStateTable`. */
export type ActionEvent =
  | 'begin'
  | 'succeed'
  | 'fail'
  | 'failAfterSuccess'
  | 'skip'
  | 'cancel'
  | 'beginAbort'
  | 'finishAbort'
  | 'succeedDespiteAbort'
  | 'failAbort'
  | 'delete';

/**
 * Life cycle of an action. Only PENDING actions can be skipped or cancelled. An action that ran keeps its true result.
 */
export const actionStateTable: StateTable<ActionState, ActionEvent> = {
  entity: 'Action',
  states: actionStates,
  initial: 'PENDING',
  terminal: ['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED', 'DELETED'],
  transitions: [
    { event: 'begin', from: ['PENDING'], to: 'ONGOING', by: 'applier, pre-condition holds' },
    { event: 'succeed', from: ['ONGOING'], to: 'SUCCEEDED', by: 'applier, executed and verified' },
    { event: 'fail', from: ['PENDING', 'ONGOING'], to: 'FAILED', by: 'applier, with the reason' },
    { event: 'failAfterSuccess', from: ['SUCCEEDED'], to: 'FAILED', by: 'applier, the post-condition does not hold' },
    {
      event: 'skip',
      from: ['PENDING'],
      to: 'SKIPPED',
      by: 'API before the start; applier when there is nothing to do',
    },
    { event: 'cancel', from: ['PENDING'], to: 'CANCELLED', by: 'applier or API, the plan was cancelled' },
    { event: 'beginAbort', from: ['ONGOING'], to: 'CANCELLING', by: 'applier, the plan was cancelled with abort' },
    {
      event: 'finishAbort',
      from: ['CANCELLING'],
      to: 'CANCELLED',
      by: 'applier, the operation was undone by its service',
    },
    { event: 'succeedDespiteAbort', from: ['CANCELLING'], to: 'SUCCEEDED', by: 'applier, the operation had completed' },
    { event: 'failAbort', from: ['CANCELLING'], to: 'FAILED', by: 'applier, neither aborted nor completed' },
    {
      event: 'delete',
      from: ['PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'],
      to: 'DELETED',
      by: 'API, with its plan',
    },
  ],
};
