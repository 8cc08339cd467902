import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { useStore } from '#tests';
import type { AuditLogEntry } from './audit-log.ts';

const { store, sql } = await useStore();
const { auditLog } = store.db;

function entryOf(days: number, status: number | null = 200): AuditLogEntry {
  return {
    ...{ uuid: randomUUID(), at: new Date(Date.now() - days * 86_400_000).toISOString(), requestId: 'r' },
    ...{ globalRequestId: null, userId: 'u', userName: 'ann', projectId: null, projectName: null, roles: ['admin'] },
    ...{ address: '::1', method: 'PATCH', route: '/v1/audits/:ident', operation: 'update_audit', targetKind: 'audit' },
    ...{ target: 'a', status, summary: 'replace /state CANCELLED', changes: { before: { a: 1 }, after: { a: 2 } } },
  };
}

const entries = [200, 100, 3, 2, 1].map((days) => entryOf(days));

beforeEach(async () => {
  await sql.query(`TRUNCATE audit_log; UPDATE audit_log_chain
    SET first_number = 1, seal_before = '', last_number = 0, last_seal = ''`);
  await auditLog.record(entries);
  expect(await auditLog.seal()).toBe(5);
});

it('an unchanged log has no fault, also after entries expired and others were added', async () => {
  const before = await auditLog.verify();
  expect(before).toMatchObject({ checked: 5, unsealed: 0, first: 1, last: { number: 5 }, faults: [] });
  expect(await auditLog.prune(90 * 86_400)).toBe(2);
  await auditLog.record([entryOf(0)]);
  await auditLog.seal();
  const after = await auditLog.verify(before.last ?? undefined);
  expect(after).toMatchObject({ checked: 4, first: 3, last: { number: 6 }, faults: [] });
});

it.each([
  ['a changed user', `UPDATE audit_log SET user_name = 'eve' WHERE seal_number = 3`, 3, 'changed'],
  ['a changed value', `UPDATE audit_log SET changes = '{}' WHERE seal_number = 4`, 4, 'changed'],
  ['a changed outcome', 'UPDATE audit_log SET status = 403 WHERE seal_number = 1', 1, 'changed'],
  ['a removed entry', 'DELETE FROM audit_log WHERE seal_number = 2', 2, 'missing'],
  ['a removed oldest entry', 'DELETE FROM audit_log WHERE seal_number = 1', 1, 'missing'],
  ['a removed newest entry', 'DELETE FROM audit_log WHERE seal_number = 5', 5, 'missing'],
])('%s shows', async (_name, statement, number, kind) => {
  await sql.query(statement);
  expect((await auditLog.verify()).faults).toContainEqual(expect.objectContaining({ number, kind }));
});

it('a chain that its owner recomputed does not have the end of an earlier check', async () => {
  const { last } = await auditLog.verify();
  await sql.query(`UPDATE audit_log SET user_name = 'eve', seal = NULL, seal_number = NULL;
    UPDATE audit_log_chain SET last_number = 0, last_seal = ''`);
  await auditLog.seal();
  expect((await auditLog.verify()).faults).toEqual([]);
  expect((await auditLog.verify(last ?? undefined)).faults).toMatchObject([{ number: 5, kind: 'replaced' }]);
});

it('an entry waits for its outcome even if the clock of its process is late', async () => {
  const open = entryOf(1, null);
  await auditLog.record([open]);
  expect(await auditLog.seal()).toBe(0);
  await auditLog.record([{ ...open, status: 201 }]);
  expect(await auditLog.seal()).toBe(1);
  expect(await auditLog.select({ uuids: [open.uuid], newest: 1 })).toMatchObject([{ status: 201 }]);
});

it('an entry waits for its outcome before it is sealed, and is not changed afterwards', async () => {
  const open = entryOf(0, null);
  await auditLog.record([open]);
  expect(await auditLog.seal()).toBe(0);
  expect((await auditLog.verify()).unsealed).toBe(1);
  await auditLog.record([{ ...open, status: 204 }]);
  expect(await auditLog.seal()).toBe(1);
  await auditLog.record([{ ...open, status: 500 }]);
  expect((await auditLog.list({ limit: 1 }))[0]).toMatchObject({ status: 204 });
  expect((await auditLog.verify()).faults).toEqual([]);
});
