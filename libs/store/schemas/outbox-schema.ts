import { EntitySchema } from 'typeorm';
import type { OutboxRow } from '../work-contract.ts';
import { identity, integer, jsonb, text, time, timeOfInsert, uuid } from './columns.ts';

/** Everything the table holds of a message. */
export interface StoredOutboxRow extends OutboxRow {
  publishedAt: Date | null;
  lastError: string | null;
  nextAttemptAt: Date;
}

/** Table `outbox`. */
export const outboxSchema = new EntitySchema<StoredOutboxRow>({
  name: 'OutboxRow',
  tableName: 'outbox',
  columns: {
    id: identity('outbox'),
    eventId: uuid('event_id'),
    type: text('type'),
    body: jsonb('body'),
    requestId: text('request_id', { nullable: true }),
    createdAt: timeOfInsert('created_at'),
    publishedAt: time('published_at', { nullable: true }),
    attempts: integer('attempts', { default: 0 }),
    lastError: text('last_error', { nullable: true }),
    nextAttemptAt: timeOfInsert('next_attempt_at'),
  },
  indices: [
    { name: 'uq_outbox_event_id', columns: ['eventId'], unique: true },
    { name: 'ix_outbox_unpublished', columns: ['id'], where: 'published_at IS NULL' },
    { name: 'ix_outbox_published_at', columns: ['publishedAt'], where: 'published_at IS NOT NULL' },
  ],
});
