/**
 * Events for notification targets. `plan.ended`: a started plan has SUCCEEDED or was CANCELLED.
 * `plan.promise_not_kept`: a measured promise is outside of its range. `machine.slow`: the coordinator found the
 * machine of Vigil slow. `target.test`: requested by an operator, for one target.
 */
export const notificationKinds = [
  'plan.recommended',
  'plan.approval_wanted',
  'plan.started',
  'plan.failed',
  'plan.ended',
  'plan.promise_not_kept',
  'machine.slow',
  'target.test',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Kinds that a target can choose. */
export const chosenKinds = notificationKinds.filter((kind) => kind !== 'target.test');

/**
 * Bodies of notifications: JSON with all fields, CloudEvents 1.0 in structured mode, incoming webhooks of Slack, and
 * messages of a Matrix room.
 */
export const notificationFormats = ['json', 'cloudevents', 'slack', 'matrix'] as const;
export type NotificationFormat = (typeof notificationFormats)[number];
