import { EntitySchema } from 'typeorm';
import { bigint, integer, text, time, timeOfInsert, uuid } from './columns.ts';

/** A running process as the registry knows it. */
export interface ServiceInstanceRow {
  instanceId: string;
  serviceName: string;
  host: string;
  pid: number;
  version: string;
  state: string;
  configHash: string | null;
  fence: number;
  startedAt: Date;
  lastSeenAt: Date;
  leaseExpiresAt: Date;
}

/** Table `service_instances`. */
export const serviceInstanceSchema = new EntitySchema<ServiceInstanceRow>({
  name: 'ServiceInstance',
  tableName: 'service_instances',
  columns: {
    instanceId: uuid('instance_id', { primary: true, primaryKeyConstraintName: 'pk_service_instances' }),
    serviceName: text('service_name'),
    host: text('host'),
    pid: integer('pid'),
    version: text('version'),
    state: text('state'),
    configHash: text('config_hash', { nullable: true }),
    fence: bigint('fence', { default: () => `nextval('fence_seq')` }),
    startedAt: timeOfInsert('started_at'),
    lastSeenAt: timeOfInsert('last_seen_at'),
    leaseExpiresAt: time('lease_expires_at'),
  },
  indices: [{ name: 'ix_service_instances_service_name', columns: ['serviceName', 'host'] }],
});
