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
      by: 'the process that ends or has started; API, when it is so already',
    },
    { event: 'cancel', from: ['PENDING'], to: 'CANCELLED', by: 'API, when a request of another kind comes after it' },
    {
      event: 'expire',
      from: ['PENDING'],
      to: 'TIMED_OUT',
      by: 'supervisor, when its time is over; API, when another request comes then',
    },
  ],
};
