import type { StateTable } from './state-table.ts';

/** Watcher's states of an audit. */
export const auditStates = ['PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED', 'DELETED'] as const;
export type AuditState = (typeof auditStates)[number];

/** Events that may change the state of an audit. See `auditStateTable`. */
export type AuditEvent =
  | 'claim'
  | 'takeOver'
  | 'release'
  | 'wait'
  | 'succeed'
  | 'fail'
  | 'cancel'
  | 'suspend'
  | 'hold'
  | 'resume'
  | 'retrigger'
  | 'delete';

/**
 * Life cycle of an audit. Watcher's states and client-visible moves, plus `takeOver` and `release` (lease recovery),
 * `wait` (between the runs of a CONTINUOUS audit) and `retrigger` (an EVENT audit may run again after it ended).
 */
export const auditStateTable: StateTable<AuditState, AuditEvent> = {
  entity: 'Audit',
  states: auditStates,
  initial: 'PENDING',
  terminal: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'DELETED'],
  transitions: [
    {
      event: 'claim',
      from: ['PENDING'],
      to: 'ONGOING',
      by: 'decision engine, when a trigger or the poller reaches it',
    },
    {
      event: 'takeOver',
      from: ['ONGOING'],
      to: 'ONGOING',
      by: 'decision engine, when the lease of another one expired',
    },
    { event: 'release', from: ['ONGOING'], to: 'PENDING', by: 'decision engine that stops before the audit is done' },
    {
      event: 'wait',
      from: ['ONGOING'],
      to: 'ONGOING',
      by: 'decision engine, when a run of a CONTINUOUS audit has ended: it has no holder until `next_run_time`',
    },
    { event: 'succeed', from: ['ONGOING'], to: 'SUCCEEDED', by: 'decision engine, with the plan, in one transaction' },
    { event: 'fail', from: ['PENDING', 'ONGOING'], to: 'FAILED', by: 'decision engine, with the reason' },
    {
      event: 'cancel',
      from: ['PENDING', 'ONGOING'],
      to: 'CANCELLED',
      by: 'API; decision engine when another plan is ongoing',
    },
    { event: 'suspend', from: ['ONGOING'], to: 'SUSPENDED', by: 'API' },
    {
      event: 'hold',
      from: ['PENDING', 'ONGOING'],
      to: 'SUSPENDED',
      by: 'recovery, when the database was restored',
    },
    { event: 'resume', from: ['SUSPENDED'], to: 'ONGOING', by: 'API' },
    { event: 'retrigger', from: ['SUCCEEDED', 'FAILED'], to: 'PENDING', by: 'webhook of an EVENT audit' },
    { event: 'delete', from: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED'], to: 'DELETED', by: 'API' },
  ],
};
