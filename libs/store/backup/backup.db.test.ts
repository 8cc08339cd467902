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
import { downgradeSchema } from '../connection/downgrade.ts';
import { formerMigrations, lastOfFirst } from '../connection/former-migrations.ts';

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
/** Further databases on the server, whose names are truncated. */
async function databases(): Promise<string[]> {
  const prefix = name().slice(0, 30);
  const rows = await rowsOf(
    `SELECT datname FROM pg_database WHERE datname <> '${name()}' AND starts_with(datname, '${prefix}') ORDER BY 1`,
  );
  return rows.map(({ datname }) => String(datname));
}
const dropDatabase = (gone: string) => runSql(process.env.VIGIL_TEST_POSTGRES_URL ?? '', `DROP DATABASE "${gone}"`);
/** Rows as text, without loss of precision. */
const dump = async (table: string) =>
  (await rowsOf(`SELECT "${table}"::text AS row FROM "${table}" ORDER BY 1`)).map(({ row }) => row);

it('a restore returns all data of a backup, and suspends unfinished work', async () => {
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
  await expect(backUpDatabase(databaseUrl, file, { logger })).rejects.toThrow('exists already');

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
    // Identities and triggers continue: a new row has a new id and is logged, and keys are enforced.
    const more = await insertPlanWorld(store.db);
    expect(more.plan.id).toBeGreaterThan(plan.id);
    expect((await store.db.actions.list({ limit: 1 }))[0]?.uuid).toBe(actions[0]?.uuid);
    await expect(runSql(databaseUrl, 'DELETE FROM goals')).rejects.toThrow(/foreign key/);
    expect(await databases()).toEqual([restored?.former]);
  } finally {
    await dropDatabase(String(restored?.former));
  }
});

/** Backs up the plan world with the schema of migration `to`. Returns the lines of the backup. */
async function backUpOlderSchema(to: string): Promise<string[]> {
  await insertPlanWorld(store.db);
  await store.close();
  await downgradeSchema(databaseUrl, { to, logger, confirm });
  await backUpDatabase(databaseUrl, file, { logger });
  return gunzipSync(readFileSync(file)).toString().trim().split('\n');
}

it('a backup with an older schema is upgraded', async () => {
  // Without placement rules, plugins and probes.
  await backUpOlderSchema('ApiRequests1795305610000');
  expect(await restoreDatabase(databaseUrl, file, { logger, confirm, dropsFormer: true })).toMatchObject({
    former: null,
  });
  store = await createStore({ url: databaseUrl, logger, poolSize: 2 });
  expect(await store.db.actionPlans.count()).toBe(1);
  expect(await databases()).toEqual([]);
});

it('a backup with former migrations is restored if it has all of them, otherwise refused', async () => {
  const [first = '', ...rest] = await backUpOlderSchema(lastOfFirst);
  const rewrite = (migrations: readonly string[]) =>
    writeFileSync(file, gzipSync([JSON.stringify({ ...JSON.parse(first), migrations }), ...rest].join('\n')));
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

it('nothing changes when the user declines, processes are alive, or the file is incomplete', async () => {
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
