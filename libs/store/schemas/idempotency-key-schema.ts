import { EntitySchema } from 'typeorm';
import { integer, json, text, timeOfInsert } from './columns.ts';

/** A request with an idempotency key, and its answer once there is one. */
export interface IdempotencyKeyRow {
  caller: string;
  key: string;
  requestHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  createdAt: Date;
}

/** Table `idempotency_keys`. */
export const idempotencyKeySchema = new EntitySchema<IdempotencyKeyRow>({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  columns: {
    caller: text('caller', { primary: true, primaryKeyConstraintName: 'pk_idempotency_keys' }),
    key: text('key', { primary: true, primaryKeyConstraintName: 'pk_idempotency_keys' }),
    requestHash: text('request_hash'),
    status: integer('status', { nullable: true }),
    headers: json('headers', { nullable: true }),
    body: text('body', { nullable: true }),
    createdAt: timeOfInsert('created_at'),
  },
  indices: [{ name: 'ix_idempotency_keys_created_at', columns: ['createdAt'] }],
});
