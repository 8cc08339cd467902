import type { StateTable } from './state-table.ts';

/** States of a request to start, stop or restart a service. */
export const serviceRequestStates = ['PENDING', 'OK', 'CANCELLED', 'TIMED_OUT'] as const;
export type ServiceRequestState = (typeof serviceRequestStates)[number];

/** Events that may change the state of such a request. */
export type ServiceRequestEvent = 'fulfil' | 'cancel' | 'expire';

/** Life cycle of a request to start, stop or restart a service. An ended request never changes. */
export const serviceRequestStateTable: StateTable<ServiceRequestState, ServiceRequestEvent> = {
  entity: 'ServiceRequest',
  states: serviceRequestStates,
  initial: 'PENDING',
  terminal: ['OK', 'CANCELLED', 'TIMED_OUT'],
  transitions: [
    {
      event: 'fulfil',
      from: ['PENDING'],
      to: 'OK',
      by: 'the process that ends or has started; API, when the process already has that state',
    },
    { event: 'cancel', from: ['PENDING'], to: 'CANCELLED', by: 'API, when a later request of another kind arrives' },
    {
      event: 'expire',
      from: ['PENDING'],
      to: 'TIMED_OUT',
      by: 'supervisor, when its time limit has passed; API, when a later request arrives after it',
    },
  ],
};
