import type { StateTable } from './state-table.ts';

/**
 * Watcher's states of an action plan, and SUSPENDED: held until an operator decides, because its outcome is unknown.
 */
export const actionPlanStates = [
  'RECOMMENDED',
  'PENDING',
  'ONGOING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLING',
  'CANCELLED',
  'SUPERSEDED',
  'SUSPENDED',
  'DELETED',
] as const;
export type ActionPlanState = (typeof actionPlanStates)[number];

/** Events that may change the state of an action plan. See `actionPlanStateTable`. */
export type ActionPlanEvent =
  | 'start'
  | 'claim'
  | 'takeOver'
  | 'takeOverCancelling'
  | 'succeed'
  | 'fail'
  | 'requestCancel'
  | 'cancelBeforeStart'
  | 'finishCancel'
  | 'failCancel'
  | 'supersede'
  | 'hold'
  | 'delete';

/** Life cycle of an action plan. `takeOver*` keep the state: another applier continues a run with an expired lease. */
export const actionPlanStateTable: StateTable<ActionPlanState, ActionPlanEvent> = {
  entity: 'ActionPlan',
  states: actionPlanStates,
  initial: 'RECOMMENDED',
  terminal: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'DELETED'],
  transitions: [
    {
      event: 'start',
      from: ['RECOMMENDED', 'SUSPENDED'],
      to: 'PENDING',
      by: 'API; decision engine for auto_trigger audits',
    },
    { event: 'claim', from: ['PENDING'], to: 'ONGOING', by: 'applier, when a launch message or the poller reaches it' },
    { event: 'takeOver', from: ['ONGOING'], to: 'ONGOING', by: 'applier, when the lease of another one expired' },
    {
      event: 'takeOverCancelling',
      from: ['CANCELLING'],
      to: 'CANCELLING',
      by: 'applier, when the lease of another one expired',
    },
    { event: 'succeed', from: ['ONGOING'], to: 'SUCCEEDED', by: 'applier, no action failed' },
    {
      event: 'fail',
      from: ['PENDING', 'ONGOING'],
      to: 'FAILED',
      by: 'applier, an action failed or the plan cannot run',
    },
    { event: 'requestCancel', from: ['ONGOING', 'SUSPENDED'], to: 'CANCELLING', by: 'API' },
    {
      event: 'cancelBeforeStart',
      from: ['RECOMMENDED', 'PENDING'],
      to: 'CANCELLED',
      by: 'API; decision engine when a newer plan replaces it',
    },
    { event: 'finishCancel', from: ['CANCELLING'], to: 'CANCELLED', by: 'applier, when nothing is running' },
    { event: 'failCancel', from: ['CANCELLING'], to: 'FAILED', by: 'applier, the cancel failed' },
    {
      event: 'supersede',
      from: ['RECOMMENDED', 'PENDING'],
      to: 'SUPERSEDED',
      by: 'expiry task; applier, when changed hosts invalidate the plan',
    },
    {
      event: 'hold',
      from: ['PENDING', 'ONGOING', 'CANCELLING'],
      to: 'SUSPENDED',
      by: 'recovery, when the database was restored; applier, when the cloud does not show the outcome of an action',
    },
    {
      event: 'delete',
      from: ['RECOMMENDED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED'],
      to: 'DELETED',
      by: 'API',
    },
  ],
};
