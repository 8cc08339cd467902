import { EntitySchema } from 'typeorm';
import type { ServiceInstance } from '../registry-contract.ts';
import { bigint, integer, jsonb, text, time, timeOfInsert, uuid } from './columns.ts';

/** Table `service_instances`. */
export const serviceInstanceSchema = new EntitySchema<Omit<ServiceInstance, 'isAlive'>>({
  name: 'ServiceInstance',
  tableName: 'service_instances',
  columns: {
    instanceId: uuid('instance_id', { primary: true, primaryKeyConstraintName: 'pk_service_instances' }),
    serviceType: text('service_type'),
    serviceName: text('service_name'),
    host: text('host'),
    pid: integer('pid'),
    version: text('version'),
    state: text('state'),
    configHash: text('config_hash', { nullable: true }),
    config: jsonb('config', { default: {} }),
    fence: bigint('fence', { default: () => `nextval('fence_seq')` }),
    startedAt: timeOfInsert('started_at'),
    lastSeenAt: timeOfInsert('last_seen_at'),
    leaseExpiresAt: time('lease_expires_at'),
    endedAt: time('ended_at', { nullable: true }),
    endReason: text('end_reason', { nullable: true }),
    failedChecks: integer('failed_checks', { default: 0 }),
    acceptsWork: { name: 'accepts_work', type: 'boolean', default: true },
  },
  indices: [
    { name: 'ix_service_instances_service_name', columns: ['serviceName', 'host'] },
    { name: 'uq_service_instances_live', columns: ['serviceName', 'host'], unique: true, where: 'ended_at IS NULL' },
    { name: 'ix_service_instances_refused', columns: ['instanceId'], where: 'NOT accepts_work' },
  ],
});
