import { EntitySchema } from 'typeorm';
import type { ActionAttemptJournal } from '#libs/domain';
import { bigint, identity, integer, jsonb, reference, text, time, timeOfInsert } from './columns.ts';

/** Table `action_attempts`. */
export const actionAttemptSchema = new EntitySchema<ActionAttemptJournal>({
  name: 'ActionAttempt',
  tableName: 'action_attempts',
  columns: {
    id: identity('action_attempts'),
    actionId: reference('action_attempts', 'action_id', 'Action'),
    attemptNo: integer('attempt_no'),
    fence: bigint('fence'),
    phase: text('phase', { default: 'begun' }),
    intent: jsonb('intent', { default: {} }),
    result: jsonb('result', { nullable: true }),
    externalRef: text('external_ref', { nullable: true }),
    startedAt: timeOfInsert('started_at'),
    endedAt: time('ended_at', { nullable: true }),
  },
  indices: [{ name: 'uq_action_attempts_no', columns: ['actionId', 'attemptNo'], unique: true }],
});
