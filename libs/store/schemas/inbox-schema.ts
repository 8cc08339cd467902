import { EntitySchema } from 'typeorm';
import { text, timeOfInsert, uuid } from './columns.ts';

/** A message that a consumer has processed. */
export interface InboxRow {
  consumer: string;
  messageId: string;
  processedAt: Date;
}

/** Table `inbox`. */
export const inboxSchema = new EntitySchema<InboxRow>({
  name: 'InboxRow',
  tableName: 'inbox',
  columns: {
    consumer: text('consumer', { primary: true, primaryKeyConstraintName: 'pk_inbox' }),
    messageId: uuid('message_id', { primary: true, primaryKeyConstraintName: 'pk_inbox' }),
    processedAt: timeOfInsert('processed_at'),
  },
  indices: [{ name: 'ix_inbox_processed_at', columns: ['processedAt'] }],
});
