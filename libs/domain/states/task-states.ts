import type { StateTable } from './state-table.ts';

/** States of a background task. */
export const taskStates = ['QUEUED', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED'] as const;
export type TaskState = (typeof taskStates)[number];

/** Events that may change the state of a background task. See `taskStateTable`. */
export type TaskEvent = 'claim' | 'takeOver' | 'release' | 'retry' | 'succeed' | 'fail' | 'redrive' | 'supersede';

/**
 * Life cycle of a background task. A RETRYING task keeps its single-flight slot. Tasks that wait for the slot run
 * after it.
 */
export const taskStateTable: StateTable<TaskState, TaskEvent> = {
  entity: 'Task',
  states: taskStates,
  initial: 'QUEUED',
  terminal: ['SUCCEEDED', 'FAILED', 'SUPERSEDED'],
  transitions: [
    { event: 'claim', from: ['QUEUED', 'RETRYING'], to: 'RUNNING', by: 'worker with a free slot, when it is due' },
    { event: 'takeOver', from: ['RUNNING'], to: 'RUNNING', by: 'worker, when the lease of another one expired' },
    { event: 'release', from: ['RUNNING'], to: 'RETRYING', by: 'worker that stops before the task is done' },
    { event: 'retry', from: ['RUNNING'], to: 'RETRYING', by: 'worker, after a transient error, with a back-off' },
    { event: 'succeed', from: ['RUNNING'], to: 'SUCCEEDED', by: 'worker, with the result' },
    {
      event: 'fail',
      from: ['QUEUED', 'RUNNING'],
      to: 'FAILED',
      by: 'worker: permanent error, no attempts left, or waited too long for its single-flight slot',
    },
    { event: 'redrive', from: ['FAILED'], to: 'QUEUED', by: 'operator' },
    { event: 'supersede', from: ['FAILED'], to: 'SUPERSEDED', by: 'operator, when a live task does the same' },
  ],
};
