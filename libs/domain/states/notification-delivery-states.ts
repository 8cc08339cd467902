import type { StateTable } from './state-table.ts';

/**
 * States of the delivery of one event to one notification target. `PENDING`: waits for an attempt or its result.
 * `DEAD`: a dead letter, which stays until an operator sends it again or retention removes it.
 */
export const notificationDeliveryStates = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type NotificationDeliveryState = (typeof notificationDeliveryStates)[number];

/** Events that may change the state of a delivery. See `notificationDeliveryStateTable`. */
export type NotificationDeliveryEvent = 'attempt' | 'deliver' | 'retry' | 'giveUp' | 'resend';

/** Life cycle of a delivery. An attempt has a lease. After its expiry another process may make the next attempt. */
export const notificationDeliveryStateTable: StateTable<NotificationDeliveryState, NotificationDeliveryEvent> = {
  entity: 'NotificationDelivery',
  states: notificationDeliveryStates,
  initial: 'PENDING',
  terminal: ['DELIVERED', 'DEAD'],
  transitions: [
    { event: 'attempt', from: ['PENDING'], to: 'PENDING', by: 'leading scheduler, when it is due' },
    { event: 'deliver', from: ['PENDING'], to: 'DELIVERED', by: 'scheduler, the receiver responded with 2xx' },
    { event: 'retry', from: ['PENDING'], to: 'PENDING', by: 'scheduler, after a transient error, with a back-off' },
    { event: 'giveUp', from: ['PENDING'], to: 'DEAD', by: 'scheduler: permanent error, or no attempts left' },
    { event: 'resend', from: ['DELIVERED', 'DEAD'], to: 'PENDING', by: 'operator' },
  ],
};
