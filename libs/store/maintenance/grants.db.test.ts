import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { insertPlanWorld, runSql, useDatabase } from '#tests';
import type { AuditLogEntry } from '../changes/audit-log.ts';
import { createStore } from '../create-store.ts';
import { type GrantKind, grantPrivileges } from './grants.ts';

const roles: string[] = [];
const { url: databaseUrl } = await useDatabase();
afterAll(async () => {
  for (const role of roles) await runSql(databaseUrl, `DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
});

/** A role that can log in, with the grants of the command. Returns its URL. */
async function roleWith(kind: GrantKind): Promise<string> {
  const role = `vigil "${kind}" ${randomUUID().slice(0, 8)}`;
  await runSql(databaseUrl, `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD 'hush'`);
  roles.push(role.replaceAll('"', '""'));
  // Twice, as after an upgrade.
  for (const _ of [1, 2]) await grantPrivileges(databaseUrl, { role, kind, logger, isApplied: true });
  const url = new URL(databaseUrl);
  url.username = encodeURIComponent(role);
  url.password = 'hush';
  return url.href;
}

/** An entry with an age in days. */
function entryOf(days: number): AuditLogEntry {
  return {
    ...{ uuid: randomUUID(), at: new Date(Date.now() - days * 86_400_000).toISOString(), requestId: 'r' },
    ...{ globalRequestId: null, userId: 'u', userName: 'u', projectId: null, projectName: null, roles: [] },
    ...{ address: null, method: 'POST', route: '/v1/audits', operation: 'create_audit', targetKind: 'audit' },
    ...{ target: null, status: 201, summary: '' },
  };
}

const refused = async (url: string, ...statements: string[]) => {
  for (const statement of statements)
    await expect(runSql(url, statement), statement).rejects.toThrow(/permission denied|must be owner/);
};

describe('roles of the database', () => {
  it('the processes work with their role, also on tables of later migrations, and cannot change the schema', async () => {
    const url = await roleWith('app');
    const store = await createStore({ url, logger });
    const { plan } = await insertPlanWorld(store.db);
    await store.db.actionPlans.transition(plan.uuid, 'start');
    await store.db.services.beat('watcher-applier', 'host');
    expect((await store.changes.read({ epoch: 1, revno: 0 }, 100)).length).toBeGreaterThan(0);
    expect(await store.db.auditLog.record([entryOf(200), entryOf(10)])).toBe(true);
    expect(await store.db.auditLog.seal()).toBe(2);
    // An attacker with the password cannot delete entries of the last 90 days.
    expect(await store.db.auditLog.prune(0)).toBe(1);
    expect(await store.db.auditLog.list({ limit: 10 })).toHaveLength(1);
    expect(await store.db.auditLog.verify()).toMatchObject({ checked: 1, faults: [] });
    await store.close();
    await runSql(url, 'CREATE TEMP TABLE purge_set (id bigint)');
    await runSql(databaseUrl, 'CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, word text)');
    await runSql(url, `INSERT INTO later (word) VALUES ('x')`);
    await refused(
      url,
      'CREATE TABLE mine (id bigint)',
      'DROP TABLE audits',
      'TRUNCATE audits',
      'ALTER TABLE audits DISABLE TRIGGER ALL',
      'DELETE FROM schema_migrations',
      `UPDATE audit_log SET user_name = 'nobody'`,
      'DELETE FROM audit_log',
      'INSERT INTO audit_log (uuid) VALUES (gen_random_uuid())',
      'UPDATE audit_log_chain SET last_number = 0',
    );
  });

  it('a reader can read events, change nothing and read no session', async () => {
    const url = await roleWith('reader');
    await runSql(url, 'SELECT * FROM action_plans');
    await runSql(url, 'SELECT * FROM audit_log');
    await refused(url, 'SELECT * FROM dashboard_sessions', 'DELETE FROM audits', `UPDATE audits SET name = 'x'`);
    for (const call of ['forget_requests(0, 100)', 'seal_requests(100)'])
      await expect(runSql(url, `SELECT ${call}`), call).rejects.toThrow('insufficient_privilege');
  });

  it('prints the planned statements, and refuses roles that they would not restrict', async () => {
    const { username: owner } = new URL(databaseUrl);
    const grant = (role: string, isApplied: boolean) =>
      grantPrivileges(databaseUrl, { role, kind: 'app', logger, isApplied });
    expect((await grant('no-such-role', false)).at(-1)).toBe(
      `ALTER DEFAULT PRIVILEGES FOR ROLE "${owner}" IN SCHEMA public GRANT USAGE ON SEQUENCES TO "no-such-role"`,
    );
    await expect(grant('no-such-role', true)).rejects.toThrow(`CREATE ROLE "no-such-role" LOGIN PASSWORD`);
    await expect(grant(owner, true)).rejects.toThrow('owns the tables');
  });
});
