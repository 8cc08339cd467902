import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { backUpDatabase, createStore, restoreDatabase, type Store } from '#libs/store';
import { insertPlanWorld, runSql, useStore } from '#tests';
import { formerMigrations } from '../connection/former-migrations.ts';

const logger = silentLogger;
const confirm = async () => true;
let folder: string;
let file: string;
let databaseUrl: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-backup-'));
  file = join(folder, 'vigil.backup');
  ({ store, url: databaseUrl } = await useStore({ poolSize: 2 }));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
});

async function rowsOf(sql: string, url = databaseUrl): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const name = () => new URL(databaseUrl).pathname.slice(1);
/** Databases beside it. Long names are cut off there. */
async function databases(): Promise<string[]> {
  const begin = name().slice(0, 30);
  const rows = await rowsOf(
    `SELECT datname FROM pg_database WHERE datname <> '${name()}' AND starts_with(datname, '${begin}') ORDER BY 1`,
  );
  return rows.map(({ datname }) => String(datname));
}
const dropDatabase = (gone: string) => runSql(process.env.VIGIL_TEST_POSTGRES_URL ?? '', `DROP DATABASE "${gone}"`);
/** As texts, so that nothing is lost on the way. */
const dump = async (table: string) =>
  (await rowsOf(`SELECT "${table}"::text AS row FROM "${table}" ORDER BY 1`)).map(({ row }) => row);

it('a restore returns all backed-up data, and holds unfinished work', async () => {
  const { audit, plan, actions } = await insertPlanWorld(store.db, {
    actions: 450,
    plan: () => ({ state: 'ONGOING', globalEfficacy: [{ name: 'ü "x" \\ (1,2)', value: 1e-7 }] as never }),
  });
  await store.lineage.check();
  const kept = Object.fromEntries(
    await Promise.all(['goals', 'strategies', 'actions'].map(async (table) => [table, await dump(table)] as const)),
  );
  const summary = await backUpDatabase(databaseUrl, file, { logger });
  expect(summary.bytes).toBe(statSync(file).size);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(backUpDatabase(databaseUrl, file, { logger })).rejects.toThrow('is there already');

  await store.db.audits.softDelete(audit.uuid);
  await runSql(databaseUrl, 'DELETE FROM actions');
  const { epoch } = await store.changes.bounds();
  await store.close();
  const restored = await restoreDatabase(databaseUrl, file, { logger, confirm });
  expect(restored).toMatchObject({ rows: summary.rows, heldPlans: [plan.uuid], heldAudits: [] });
  try {
    store = await createStore({ url: databaseUrl, logger, poolSize: 2 });
    for (const [table, rows] of Object.entries(kept)) expect(await dump(table)).toEqual(rows);
    expect(await store.db.actionPlans.get(plan.uuid)).toMatchObject({
      state: 'SUSPENDED',
      globalEfficacy: plan.globalEfficacy,
    });
    expect((await store.db.audits.get(audit.uuid)).state).toBe('SUCCEEDED');
    expect((await store.changes.bounds()).epoch).toBeGreaterThan(epoch);
    expect((await store.lineage.check()).verdict).toBe('same');
    // Identities and triggers continue: a new row gets a new id and is logged, keys hold.
    const more = await insertPlanWorld(store.db);
    expect(more.plan.id).toBeGreaterThan(plan.id);
    expect((await store.db.actions.list({ limit: 1 }))[0]?.uuid).toBe(actions[0]?.uuid);
    await expect(runSql(databaseUrl, 'DELETE FROM goals')).rejects.toThrow(/foreign key/);
    expect(await databases()).toEqual([restored?.former]);
  } finally {
    await dropDatabase(String(restored?.former));
  }
});

/** Tables without those and without the columns that came after the former migrations. */
function beforeLaterMigrations(tables: Record<string, string[]>): Record<string, string[]> {
  const laterTables = [
    'host_versions',
    'plan_host_versions',
    'plan_measurements',
    'audit_log_chain',
    'alert_receivers',
    'alert_runs',
    'notification_deliveries',
    'notification_events',
    'notification_secrets',
    'notification_targets',
    'plan_comments',
  ];
  const auditColumns = [
    'auto_trigger_user',
    'auto_trigger_refused',
    'alert_run',
    'alert_scope',
    'requester',
    'automation_level',
  ];
  const planColumns = [
    'requester',
    'approval',
    'approval_reason',
    'approval_by',
    'approval_at',
    'approval_comment',
    'approval_void',
    'starts_when_approved',
    'window_zone',
  ];
  const former = Object.fromEntries(Object.entries(tables).filter(([name]) => !laterTables.includes(name)));
  const without = (table: string, ...columns: string[]) => ({
    [table]: former[table]?.filter((name) => !columns.includes(name)) ?? [],
  });
  return {
    ...former,
    ...without('idempotency_keys', 'entity_uuid'),
    ...without('action_plans', 'force_stale', 'by_order', 'alert_scope', ...planColumns),
    ...without('actions', 'refusal'),
    ...without('audits', ...auditColumns),
    ...without('audit_log', 'changes', 'seal_number', 'seal', 'recorded_at'),
  };
}

/** Ends of rows by table: the columns that came last, with the values that these tests store. */
const laterColumns: Readonly<Record<string, RegExp>> = {
  action_plans: /,f,f,{9}f,\)$/,
  actions: /,\)$/,
  audits: /,,f,,,,\)$/,
};

/** Rows of those tables. */
function rowsBeforeLaterMigrations(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const { table, rows, end } = JSON.parse(line) as { table?: string; rows?: string[]; end?: { rows: number } };
    // The only row of `audit_log_chain`.
    if (end) return JSON.stringify({ end: { ...end, rows: end.rows - 1 } });
    if (['host_versions', 'plan_host_versions', 'audit_log_chain'].includes(table ?? '')) return [];
    const later = laterColumns[table ?? ''];
    if (later === undefined) return line;
    return JSON.stringify({ table, rows: rows?.map((row) => row.replace(later, ')')) });
  });
}

it('a backup that was made with an older schema is upgraded', async () => {
  await insertPlanWorld(store.db);
  await backUpDatabase(databaseUrl, file, { logger });
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  const header = JSON.parse(lines[0] ?? '') as { migrations: string[]; tables: Record<string, string[]> };
  // As a version without placement rules, plugins and probes would have written it.
  const older = header.migrations.indexOf('PlacementRules1795305611000');
  header.migrations = header.migrations.slice(0, older);
  header.tables = beforeLaterMigrations(header.tables);
  for (const table of ['placement_rules', 'loaded_plugins', 'plugin_faults', 'store_probe'])
    delete header.tables[table];
  writeFileSync(file, gzipSync([JSON.stringify(header), ...rowsBeforeLaterMigrations(lines.slice(1))].join('\n')));
  await store.close();
  expect(await restoreDatabase(databaseUrl, file, { logger, confirm, dropsFormer: true })).toMatchObject({
    former: null,
  });
  store = await createStore({ url: databaseUrl, logger, poolSize: 2 });
  expect(await store.db.actionPlans.count()).toBe(1);
  expect(await databases()).toEqual([]);
});

it('a backup with former migrations is restored when it has all of them, and else refused', async () => {
  await insertPlanWorld(store.db);
  await backUpDatabase(databaseUrl, file, { logger });
  const [first = '', ...rest] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  const header = JSON.parse(first) as { tables: Record<string, string[]> };
  const tables = beforeLaterMigrations(header.tables);
  const rewrite = (migrations: readonly string[]) =>
    writeFileSync(
      file,
      gzipSync([JSON.stringify({ ...header, tables, migrations }), ...rowsBeforeLaterMigrations(rest)].join('\n')),
    );
  await store.close();
  rewrite(formerMigrations.slice(0, -1));
  await expect(restoreDatabase(databaseUrl, file, { logger, confirm })).rejects.toThrow(
    /development version between 0\.1\.0/,
  );
  rewrite(formerMigrations);
  expect(await restoreDatabase(databaseUrl, file, { logger, confirm, dropsFormer: true })).toMatchObject({
    former: null,
  });
  store = await createStore({ url: databaseUrl, logger, poolSize: 2 });
  expect(await store.db.actionPlans.count()).toBe(1);
});

it('nothing happens when the user declines, processes are alive, or the file is incomplete', async () => {
  const { plan } = await insertPlanWorld(store.db);
  await backUpDatabase(databaseUrl, file, { logger });
  expect(await restoreDatabase(databaseUrl, file, { logger, confirm: async () => false })).toBeNull();

  const cut = join(folder, 'cut');
  const text = gunzipSync(readFileSync(file)).toString();
  writeFileSync(cut, gzipSync(text.slice(0, text.lastIndexOf('{"end"'))));
  await expect(restoreDatabase(databaseUrl, cut, { logger, confirm })).rejects.toThrow(/is not complete/);
  writeFileSync(cut, readFileSync(file).subarray(0, 700));
  await expect(restoreDatabase(databaseUrl, cut, { logger, confirm })).rejects.toThrow(/is not a backup of Vigil/);
  writeFileSync(cut, 'something else');
  await expect(restoreDatabase(databaseUrl, cut, { logger, confirm })).rejects.toThrow(/is not a backup of Vigil/);
  await expect(restoreDatabase(databaseUrl, join(folder, 'none'), { logger, confirm })).rejects.toThrow(/ENOENT/);

  await runSql(
    databaseUrl,
    `INSERT INTO service_instances (instance_id, service_type, service_name, host, pid, version, state, lease_expires_at)
     VALUES ('${randomUUID()}', 'watcher-applier', 'applier', 'node-1', 4711, '1', 'STARTED', now() + interval '1 minute')`,
  );
  await expect(restoreDatabase(databaseUrl, file, { logger, confirm })).rejects.toThrow(/applier@node-1 \(pid 4711\)/);
  expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('RECOMMENDED');
  expect(await databases()).toEqual([]);
});
