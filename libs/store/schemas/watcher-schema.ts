import { EntitySchema } from 'typeorm';
import type { JsonObject } from '#libs/domain';
import { bigint, integer, jsonb, text, time, timeOfInsert, uuid } from './columns.ts';

/** A long-poll watcher as stored. */
export interface WatcherRow {
  id: string;
  owner: string;
  filter: JsonObject;
  epoch: number | null;
  revno: number | null;
  pageAfter: string | null;
  pagedUntil: number;
  version: number;
  createdAt: Date;
  lastSeenAt: Date;
  stoppedAt: Date | null;
}

/** Table `watchers`. */
export const watcherSchema = new EntitySchema<WatcherRow>({
  name: 'Watcher',
  tableName: 'watchers',
  columns: {
    id: uuid('id', { primary: true, primaryKeyConstraintName: 'pk_watchers' }),
    owner: text('owner'),
    filter: jsonb('filter'),
    epoch: bigint('epoch', { nullable: true }),
    revno: bigint('revno', { nullable: true }),
    pageAfter: text('page_after', { nullable: true }),
    pagedUntil: bigint('paged_until', { default: 0 }),
    version: integer('version', { default: 0 }),
    createdAt: timeOfInsert('created_at'),
    lastSeenAt: timeOfInsert('last_seen_at'),
    stoppedAt: time('stopped_at', { nullable: true }),
  },
  indices: [
    { name: 'ix_watchers_owner', columns: ['owner'] },
    { name: 'ix_watchers_last_seen_at', columns: ['lastSeenAt'] },
  ],
});

/** The status of a service that was logged last. */
export interface ServiceStatusRow {
  serviceId: number;
  status: string;
}

/** Table `service_statuses`. */
export const serviceStatusSchema = new EntitySchema<ServiceStatusRow>({
  name: 'ServiceStatus',
  tableName: 'service_statuses',
  columns: {
    serviceId: bigint('service_id', { primary: true, primaryKeyConstraintName: 'pk_service_statuses' }),
    status: text('status'),
  },
});
