import type { StateTable } from './state-table.ts';

/** States of a registered process. */
export const serviceInstanceStates = ['STARTING', 'STARTED', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'] as const;
export type ServiceInstanceState = (typeof serviceInstanceStates)[number];

/** Events that may change the state of a registered process. */
export type ServiceInstanceEvent =
  | 'started'
  | 'refuse'
  | 'stop'
  | 'stopped'
  | 'fail'
  | 'crash'
  | 'lose'
  | 'return'
  | 'rejoin';

/** Life cycle of a registered process. A LOST process may return, because it may have been frozen or disconnected. */
export const serviceInstanceStateTable: StateTable<ServiceInstanceState, ServiceInstanceEvent> = {
  entity: 'ServiceInstance',
  states: serviceInstanceStates,
  initial: 'STARTING',
  terminal: ['STOPPED', 'FAILED'],
  transitions: [
    { event: 'started', from: ['STARTING'], to: 'STARTED', by: 'the process, when all its parts run' },
    { event: 'refuse', from: ['STARTING'], to: 'FAILED', by: 'the process, when a part cannot be started' },
    { event: 'stop', from: ['STARTING', 'STARTED'], to: 'STOPPING', by: 'the process, on a request to stop' },
    { event: 'stopped', from: ['STOPPING'], to: 'STOPPED', by: 'the process, when all its parts have ended' },
    {
      event: 'fail',
      from: ['STARTED', 'STOPPING'],
      to: 'FAILED',
      by: 'the process, for an error that it has detected',
    },
    { event: 'crash', from: ['STARTING', 'STARTED', 'STOPPING'], to: 'FAILED', by: 'the process, uncaught exception' },
    {
      event: 'lose',
      from: ['STARTING', 'STARTED', 'STOPPING'],
      to: 'LOST',
      by: 'supervisor, when the lease has expired; a successor of the same name',
    },
    { event: 'return', from: ['LOST'], to: 'STARTED', by: 'the process, when it can reach the database again' },
    { event: 'rejoin', from: ['LOST'], to: 'STARTING', by: 'the process, when it can do so before all its parts run' },
  ],
};
