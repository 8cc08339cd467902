import { EntitySchema } from 'typeorm';
import type { AuditLogEntry } from '../audit-log-contract.ts';
import { identity, integer, jsonb, text, time, uuid } from './columns.ts';

/** Table `audit_log`. */
export const auditLogSchema = new EntitySchema<Omit<AuditLogEntry, 'at'> & { id: number; at: Date }>({
  name: 'AuditLogEntry',
  tableName: 'audit_log',
  columns: {
    id: identity('audit_log'),
    uuid: uuid('uuid'),
    at: time('at'),
    requestId: text('request_id'),
    globalRequestId: text('global_request_id', { nullable: true }),
    userId: text('user_id', { nullable: true }),
    userName: text('user_name', { nullable: true }),
    projectId: text('project_id', { nullable: true }),
    projectName: text('project_name', { nullable: true }),
    roles: jsonb('roles'),
    address: text('address', { nullable: true }),
    method: text('method'),
    route: text('route'),
    operation: text('operation'),
    targetKind: text('target_kind', { nullable: true }),
    target: text('target', { nullable: true }),
    status: integer('status', { nullable: true }),
    summary: text('summary'),
  },
  indices: [
    { name: 'uq_audit_log_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_audit_log_at', columns: ['at'] },
    { name: 'ix_audit_log_user_id', columns: ['userId'] },
    { name: 'ix_audit_log_user_name', columns: ['userName'] },
    { name: 'ix_audit_log_target', columns: ['target'] },
  ],
});
