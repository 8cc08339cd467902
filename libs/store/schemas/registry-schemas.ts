import { EntitySchema } from 'typeorm';
import type {
  GraphEdge,
  ProcessLoop,
  RecoveryDecision,
  RecoveryJob,
  ServiceEvent,
  ServiceRequest,
} from '../registry-contract.ts';
import { bigint, flag, identity, integer, jsonb, text, time, timeOfInsert, uuid } from './columns.ts';

/** Table `service_events`. */
export const serviceEventSchema = new EntitySchema<ServiceEvent & { dedupeKey: string | null }>({
  name: 'ServiceEvent',
  tableName: 'service_events',
  columns: {
    id: identity('service_events'),
    dedupeKey: text('dedupe_key', { nullable: true }),
    type: text('type'),
    serviceType: text('service_type'),
    serviceName: text('service_name'),
    host: text('host'),
    instanceId: uuid('instance_id', { nullable: true }),
    doc: jsonb('doc', { default: {} }),
    at: timeOfInsert('at'),
    acknowledgedAt: time('acknowledged_at', { nullable: true }),
  },
  indices: [
    { name: 'uq_service_events_dedupe_key', columns: ['dedupeKey'], unique: true },
    { name: 'ix_service_events_pending', columns: ['id'], where: 'acknowledged_at IS NULL' },
    { name: 'ix_service_events_at', columns: ['at'] },
  ],
});

/** Table `service_requests`. */
export const serviceRequestSchema = new EntitySchema<ServiceRequest>({
  name: 'ServiceRequest',
  tableName: 'service_requests',
  columns: {
    id: uuid('id', { primary: true, primaryKeyConstraintName: 'pk_service_requests' }),
    kind: text('kind'),
    serviceName: text('service_name'),
    host: text('host'),
    instanceId: uuid('instance_id', { nullable: true }),
    state: text('state', { default: 'PENDING' }),
    requestedBy: text('requested_by'),
    reason: text('reason', { nullable: true }),
    requestedAt: timeOfInsert('requested_at'),
    deadlineAt: time('deadline_at'),
    endedAt: time('ended_at', { nullable: true }),
  },
  indices: [
    {
      name: 'uq_service_requests_pending',
      columns: ['serviceName', 'host'],
      unique: true,
      where: `state = 'PENDING'`,
    },
  ],
});

const loopKey = { primary: true, primaryKeyConstraintName: 'pk_process_loops' };

/** Table `process_loops`. */
export const processLoopSchema = new EntitySchema<ProcessLoop>({
  name: 'ProcessLoop',
  tableName: 'process_loops',
  columns: {
    instanceId: uuid('instance_id', {
      ...loopKey,
      foreignKey: { target: 'ServiceInstance', name: 'fk_process_loops_instance_id', onDelete: 'CASCADE' },
    }),
    name: text('name', loopKey),
    everyMs: integer('every_ms'),
    tookMs: integer('took_ms'),
    lastRunAt: time('last_run_at'),
    failures: integer('failures'),
    lastError: text('last_error', { nullable: true }),
  },
});

const edgeKey = { primary: true, primaryKeyConstraintName: 'pk_graph_edges' };

/** Table `graph_edges`. */
export const graphEdgeSchema = new EntitySchema<GraphEdge>({
  name: 'GraphEdge',
  tableName: 'graph_edges',
  columns: {
    srcKind: text('src_kind', edgeKey),
    srcId: text('src_id', edgeKey),
    rel: text('rel', edgeKey),
    dstKind: text('dst_kind', edgeKey),
    dstId: text('dst_id', edgeKey),
    attributes: jsonb('attributes', { default: {} }),
    since: timeOfInsert('since'),
  },
  indices: [{ name: 'ix_graph_edges_dst', columns: ['dstKind', 'dstId'] }],
});

/** Table `recovery_jobs`. */
export const recoveryJobSchema = new EntitySchema<Omit<RecoveryJob, 'ageMs' | 'isLate'>>({
  name: 'RecoveryJob',
  tableName: 'recovery_jobs',
  columns: {
    jobKey: text('job_key', { primary: true, primaryKeyConstraintName: 'pk_recovery_jobs' }),
    rule: text('rule'),
    subject: jsonb('subject'),
    phase: text('phase'),
    data: jsonb('data', { default: {} }),
    startedAt: timeOfInsert('started_at'),
    deadlineAt: time('deadline_at'),
    endedAt: time('ended_at', { nullable: true }),
    outcome: text('outcome', { nullable: true }),
  },
  indices: [{ name: 'ix_recovery_jobs_open', columns: ['startedAt'], where: 'ended_at IS NULL' }],
});

/** Table `recovery_decisions`. */
export const recoveryDecisionSchema = new EntitySchema<RecoveryDecision>({
  name: 'RecoveryDecision',
  tableName: 'recovery_decisions',
  columns: {
    id: identity('recovery_decisions'),
    rule: text('rule'),
    jobKey: text('job_key'),
    inputs: jsonb('inputs'),
    outcome: text('outcome'),
    detail: text('detail'),
    durationMs: integer('duration_ms'),
    fence: bigint('fence'),
    decidedAt: timeOfInsert('decided_at'),
  },
  indices: [{ name: 'ix_recovery_decisions_decided_at', columns: ['decidedAt'] }],
});

const crashKey = { primary: true, primaryKeyConstraintName: 'pk_work_crashes' };

/** Table `work_crashes`: which processes ended without a stop while which work was done. */
export const workCrashSchema = new EntitySchema<{
  kind: string;
  uuid: string;
  eventId: number;
  cause: string;
  alone: boolean;
  at: Date;
}>({
  name: 'WorkCrash',
  tableName: 'work_crashes',
  columns: {
    kind: text('kind', crashKey),
    uuid: uuid('uuid', crashKey),
    eventId: bigint('event_id', crashKey),
    cause: text('cause', { default: 'exception' }),
    alone: flag('alone'),
    at: timeOfInsert('at'),
  },
});
