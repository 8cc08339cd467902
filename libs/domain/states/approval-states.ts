import type { StateTable } from './state-table.ts';

/** Approval of a plan by a second person. Null in the store: no rule requires one. */
export const approvalStates = ['wanted', 'given', 'refused'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Events that may change the approval of a plan. See `approvalStateTable`. */
export type ApprovalEvent = 'approve' | 'refuse' | 'void';

/** Life cycle of an approval, while the plan is RECOMMENDED. */
export const approvalStateTable: StateTable<ApprovalState, ApprovalEvent> = {
  entity: 'Approval',
  states: approvalStates,
  initial: 'wanted',
  terminal: ['refused'],
  transitions: [
    { event: 'approve', from: ['wanted'], to: 'given', by: 'API, on request of an approver' },
    {
      event: 'refuse',
      from: ['wanted', 'given'],
      to: 'refused',
      by: 'API, on request of an approver; the plan becomes CANCELLED',
    },
    {
      event: 'void',
      from: ['given'],
      to: 'wanted',
      by: 'API and decision engine, when the plan or its hosts changed after the approval',
    },
  ],
};
