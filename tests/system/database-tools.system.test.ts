import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { createStore, upgradeSchema } from '#libs/store';
import { useStore } from '#tests';
import { insertPlanWorld } from '../builders.ts';
import { runVigil } from './vigil-process.ts';

const dump = fileURLToPath(new URL('../../libs/store/import-watcher/testing/watcher-9-mysqldump.sql', import.meta.url));

const { store, url: databaseUrl } = await useStore();

const db = (...args: string[]) => runVigil(['db', ...args], { VIGIL_DATABASE_URL: databaseUrl });

it('purge confirms before it removes, and reports its result', async () => {
  const { plan, actions } = await insertPlanWorld(store.db, { actions: 2 });
  for (const action of actions) await store.db.actions.softDelete(action.uuid);
  await store.db.actionPlans.softDelete(plan.uuid);
  expect(await db('purge')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Nothing was deleted.') });
  const dry = await db('purge', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({ counts: { action_plans: 1, actions: 2 }, total: 3, deleted: false });
  expect(await db('purge', '-n', '-1')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('positive') });
  expect((await db('purge', '-d', 'old')).exitCode).toBe(2);
  expect(await db('purge', '-t', 'nothing', '-y')).toMatchObject({ exitCode: 1 });
  expect(await db('purge', '--yes')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Deleted 3 objects.'),
  });
});

it("import takes over Watcher's database; a file that is none is reported", async () => {
  expect((await db('import', dump, '--dry-run')).stdout).toMatch(/audits +4 imported, 0 already there[\s\S]*dry run/);
  expect(JSON.parse((await db('import', dump, '--json')).stdout)).toMatchObject({ imported: { actions: 24 } });
  expect(await db('import', '/no/such/file')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('/no/such'),
  });
});

it('restored holds unfinished work, after a confirmation', async () => {
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING' }) });
  expect((await db('restored')).stdout).toContain('Nothing was changed.');
  expect((await db('restored', '--json')).exitCode).toBe(2);
  expect((await db('restored', '--yes')).stdout).toMatch(
    `Held: 1 action plans, 1 audits.\n  action plan ${plan.uuid}\n`,
  );
  expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('SUSPENDED');
});

it('backup and restore work on the embedded database, also below a running one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-backup-'));
  chmodSync(folder, 0o755);
  const options = { dataDir: join(folder, 'data', 'postgres'), settings: { fsync: 'off' }, logger: silentLogger };
  const file = join(folder, 'vigil.backup');
  const tool = (...args: string[]) =>
    runVigil(['db', ...args], { VIGIL_DATABASE_URL: undefined, VIGIL_DATA_DIR: join(folder, 'data') });
  try {
    expect(await tool('backup', file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no embedded database'),
    });
    let server = await startEmbeddedPostgres(options);
    await upgradeSchema(server.url, { logger: silentLogger });
    const before = await createStore({ url: server.url, logger: silentLogger, poolSize: 2 });
    const { plan } = await insertPlanWorld(before.db, { plan: () => ({ state: 'PENDING' }) });
    const made = await tool('backup', file);
    expect(made, made.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('rows of') });
    await before.db.actionPlans.softDelete(plan.uuid);
    await before.close();
    await server.stop();

    const restored = await tool('restore', file, '--yes', '--drop-former');
    expect(restored, restored.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 action plans') });
    server = await startEmbeddedPostgres(options);
    const after = await createStore({ url: server.url, logger: silentLogger, poolSize: 2 });
    expect(await after.lineage.check()).toMatchObject({ verdict: 'same' });
    expect(await after.db.actionPlans.get(plan.uuid)).toMatchObject({ state: 'SUSPENDED' });
    await after.close();
    await server.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('downgrade takes one back, upgrade applies it again, version shows it', async () => {
  const before = JSON.parse((await db('version', '--json')).stdout) as { state: string; applied: string[] };
  expect(before.state).toBe('current');
  expect((await db('downgrade', 'everything')).exitCode).toBe(2);
  expect(await db('downgrade', 'one', '--json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--yes'),
  });
  const unasked = await db('downgrade', 'one');
  expect(unasked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Nothing was changed.') });
  expect((await db('downgrade', 'one', '--dry-run')).stdout).toContain('Migrations to revert:');
  const { reverted } = JSON.parse((await db('downgrade', 'one', '--json', '--yes')).stdout) as { reverted: string[] };
  expect(reverted).toEqual(before.applied.slice(-1));
  expect((await db('version')).stdout).toContain(`missing: ${reverted[0]}`);
  expect((await db('upgrade')).stdout).toContain(`Applied: ${reverted[0]}`);
});
