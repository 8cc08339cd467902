import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createLogger } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { insertActionPlan, insertAudit, insertPlanWorld, runSql, useDatabase } from '#tests';
import { keepLineage } from './keep-lineage.ts';

let databaseUrl: string;
const stores: Store[] = [];
beforeEach(async () => {
  ({ url: databaseUrl } = await useDatabase());
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

/** A process that has just started. */
async function open(url = databaseUrl): Promise<Store> {
  const store = await createStore({ url, logger: silentLogger, poolSize: 4 });
  stores.push(store);
  return store;
}
const execute = (sql: string) => runSql(databaseUrl, sql);
const lease = { instance: '11111111-1111-4111-8111-111111111111', host: 'h', ttlMs: 30_000 };

/** Has the effect of a loaded dump on the row: another transaction writes it. */
const reload = () =>
  execute(`CREATE TEMP TABLE dumped AS SELECT * FROM store_lineage; TRUNCATE store_lineage;
    INSERT INTO store_lineage SELECT * FROM dumped;`);
/** Has the effect of a promotion: the row is unchanged, the timeline differs. */
const promote = () =>
  execute(`UPDATE store_lineage SET timeline = '0000FFFF', written_xid = pg_current_xact_id()::text`);

it('a new database is sealed, and no automatic operation of the server breaks the seal', async () => {
  const store = await open();
  const { audit } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING' }) });
  expect(await store.lineage.check()).toEqual({ verdict: 'sealed', heldPlans: [], heldAudits: [] });
  await execute('VACUUM (FULL, FREEZE) store_lineage');
  await execute('VACUUM (FREEZE) store_lineage');
  expect((await (await open()).lineage.check()).verdict).toBe('same');
  expect((await store.lineage.check()).verdict).toBe('same');
  expect((await store.changes.bounds()).epoch).toBe(1);
  expect((await store.db.audits.get(audit.uuid)).state).toBe('SUCCEEDED');
});

it('after a restore unfinished work is suspended, nothing can be claimed before, and the stream has a new epoch', async () => {
  const before = await open();
  const { audit, strategy, plan } = await insertPlanWorld(before.db, { plan: () => ({ state: 'PENDING' }) });
  const insert = (state: 'RECOMMENDED' | 'CANCELLING' | 'ONGOING' | 'SUCCEEDED') =>
    insertActionPlan(before.db, audit, strategy, () => ({ state, fence: 7, runInstance: 'x' }));
  const [ongoing, cancelling] = [await insert('ONGOING'), await insert('CANCELLING')];
  const others = [await insert('RECOMMENDED'), await insert('SUCCEEDED')];
  const waiting = await insertAudit(before.db, strategy);
  const continuous = await insertAudit(before.db, strategy, () => ({ auditType: 'CONTINUOUS', state: 'ONGOING' }));
  const event = await insertAudit(before.db, strategy, () => ({ auditType: 'EVENT' }));
  await before.lineage.check();
  const { epoch } = await before.changes.bounds();
  await reload();

  const after = await open();
  // No process has detected it yet.
  expect(await after.db.actionPlans.claim(plan.uuid, lease)).toBeNull();
  expect(await after.db.actionPlans.takeOver(ongoing.uuid, lease)).toBeNull();
  expect(await after.db.audits.claim(waiting.uuid, lease)).toBeNull();

  const result = await after.lineage.check();
  expect(result.verdict).toBe('restored');
  expect(result.heldPlans.sort()).toEqual([plan.uuid, ongoing.uuid, cancelling.uuid].sort());
  expect(result.heldAudits.sort()).toEqual([waiting.uuid, continuous.uuid].sort());
  expect(await after.db.actionPlans.get(cancelling.uuid)).toMatchObject({
    state: 'SUSPENDED',
    statusMessage:
      'Held: the database was restored from a backup while this was CANCELLING. Check the cloud, then start or cancel it.',
  });
  expect(
    (await Promise.all(others.map(({ uuid }) => after.db.actionPlans.get(uuid)))).map(({ state }) => state),
  ).toEqual(['RECOMMENDED', 'SUCCEEDED']);
  expect((await after.db.audits.get(event.uuid)).state).toBe('PENDING');
  // Processes that still work on it have lost their lease.
  expect(await after.db.actionPlans.renewLease(ongoing.uuid, 7, 1_000)).toBe(false);
  const restarted = (await after.changes.bounds()).epoch;
  expect(restarted).toBeGreaterThan(epoch);
  // Followers of the new epoch receive the suspended work.
  const changes = await after.changes.read({ epoch: restarted, revno: 0 }, 100);
  expect(
    changes
      .filter(({ oldState }) => oldState === 'ONGOING')
      .map(({ entityUuid }) => entityUuid)
      .sort(),
  ).toEqual([ongoing.uuid, continuous.uuid].sort());
  expect((await after.lineage.check()).verdict).toBe('same');
  expect((await before.lineage.check()).verdict).toBe('same');

  // An operator has checked the cloud.
  await after.db.actionPlans.transition(ongoing.uuid, 'start');
  const claimed = await after.db.actionPlans.claim(ongoing.uuid, lease);
  expect(claimed?.fence).toBeGreaterThan(1_000_000);
  await after.db.actionPlans.transition(cancelling.uuid, 'requestCancel');
  expect(await after.db.actionPlans.takeOver(cancelling.uuid, lease)).toMatchObject({ state: 'CANCELLING' });
  await after.db.audits.transition(waiting.uuid, 'resume');
  expect(await after.db.audits.takeOver(waiting.uuid, lease)).toMatchObject({ state: 'ONGOING' });
});

it('one of several processes handles it', async () => {
  await (await open()).lineage.check();
  await reload();
  const lineages = await Promise.all([open(), open(), open()]);
  const verdicts = await Promise.all(lineages.map(async (store) => (await store.lineage.check()).verdict));
  expect(verdicts.sort()).toEqual(['restored', 'same', 'same']);
});

it('a clone on the same server is another database', async () => {
  const store = await open();
  await store.lineage.check();
  await store.close();
  const clone = new URL(databaseUrl);
  clone.pathname += '_clone';
  const [source, target] = [new URL(databaseUrl).pathname.slice(1), clone.pathname.slice(1)];
  const admin = process.env.VIGIL_TEST_POSTGRES_URL ?? '';
  await runSql(admin, `CREATE DATABASE ${target} TEMPLATE ${source}`);
  try {
    const cloned = await createStore({ url: clone.href, logger: silentLogger, poolSize: 2 });
    expect((await cloned.lineage.check()).verdict).toBe('restored');
    await cloned.close();
  } finally {
    await runSql(admin, `DROP DATABASE ${target} WITH (FORCE)`);
  }
});

it('after a fail-over a surviving process confirms the database: clients start over, work continues, readers keep their position', async () => {
  const [old, fresh] = [await open(), await open()];
  const { plan } = await insertPlanWorld(old.db, { plan: () => ({ state: 'PENDING' }) });
  await old.lineage.check();
  const place = await old.changes.bounds();
  await old.changes.advance('reader', { epoch: place.epoch, revno: place.newest - 1 });
  await promote();
  expect((await fresh.lineage.check()).verdict).toBe('unvouched');
  const starting = keepLineage(fresh.lineage, silentLogger, { patience: 60_000 });
  expect((await old.lineage.check()).verdict).toBe('failed_over');
  await (await starting).stop();
  expect((await fresh.lineage.check()).verdict).toBe('same');
  const { epoch } = await old.changes.bounds();
  expect(epoch).toBeGreaterThan(place.epoch);
  const position = await old.changes.position('reader');
  expect(position).toEqual({ epoch, revno: place.newest - 1 });
  expect(await old.changes.read({ epoch, revno: place.newest - 1 }, 10)).toHaveLength(1);
  const claimed = await old.db.actionPlans.claim(plan.uuid, lease);
  expect(claimed).toMatchObject({ state: 'ONGOING' });
  // Numbers of the former server that the standby did not have are not issued again.
  expect(claimed?.fence).toBeGreaterThan(1_000_000);
});

it('a fail-over that lost changes known to a process suspends unfinished work', async () => {
  const [knowing, unknowing] = [await open(), await open()];
  await unknowing.lineage.check();
  const { plan } = await insertPlanWorld(knowing.db, { plan: () => ({ state: 'ONGOING' }) });
  await knowing.changes.bounds();
  await knowing.lineage.check();
  const place = await knowing.changes.bounds();
  await execute('UPDATE change_log_head SET revno = revno - 1');
  await promote();
  expect(await knowing.lineage.check()).toEqual({ verdict: 'cut_short', heldPlans: [plan.uuid], heldAudits: [] });
  expect(await knowing.db.actionPlans.get(plan.uuid)).toMatchObject({
    state: 'SUSPENDED',
    statusMessage:
      'Held: another database server took over, without the newest changes, while this was ONGOING. Check the cloud, then start or cancel it.',
  });
  expect((await knowing.changes.bounds()).epoch).toBeGreaterThan(place.epoch);
  expect((await unknowing.lineage.check()).verdict).toBe('same');
});

it('a loss that several processes detect suspends work once', async () => {
  const [first, second] = [await open(), await open()];
  const { plan } = await insertPlanWorld(first.db, { plan: () => ({ state: 'ONGOING' }) });
  for (const store of [first, second]) await store.lineage.check();
  await execute('UPDATE change_log_head SET revno = revno - 1');
  await promote();
  expect(await first.lineage.check()).toMatchObject({ verdict: 'cut_short', heldPlans: [plan.uuid] });
  await first.db.actionPlans.transition(plan.uuid, 'start');
  expect(await second.lineage.check()).toMatchObject({ verdict: 'same', heldPlans: [] });
  expect((await first.db.actionPlans.get(plan.uuid)).state).toBe('PENDING');
});

it('without a confirming process, another timeline counts as a restore', async () => {
  const store = await open();
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'ONGOING' }) });
  await store.lineage.check();
  await promote();
  const keeping = await keepLineage((await open()).lineage, silentLogger, { patience: 0 });
  await keeping.stop();
  expect((await store.db.actionPlans.get(plan.uuid)).state).toBe('SUSPENDED');
});

it('the log names suspended plans and audits only if there are any', async () => {
  const store = await open();
  await store.lineage.check();
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'info', pretty: false, write: (line) => lines.push(line) });
  const restoredOnce = async () => {
    await promote();
    await (await keepLineage((await open()).lineage, logger, { patience: 0 })).stop();
    return JSON.parse(lines.at(-1) ?? '{}');
  };
  const idle = await restoredOnce();
  expect(idle.msg).toBe('the database was restored from a backup: no plan or audit was open');
  expect(idle).not.toHaveProperty('action_plans');
  expect(idle).not.toHaveProperty('audits');
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'ONGOING' }) });
  expect(await restoredOnce()).toMatchObject({ action_plans: [plan.uuid], msg: expect.stringContaining('SUSPENDED') });
});

it('files restored under a running process are detected by known numbers', async () => {
  const store = await open();
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'ONGOING' }) });
  await store.changes.bounds();
  await store.lineage.check();
  await execute('UPDATE change_log_head SET revno = revno - 1');
  expect(await store.lineage.check()).toMatchObject({ verdict: 'restored', heldPlans: [plan.uuid] });
});

it('a restore that no process can detect is reported on request', async () => {
  const store = await open();
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING' }) });
  await store.lineage.check();
  const { epoch } = await store.changes.bounds();
  expect(await store.lineage.declareRestored()).toMatchObject({ verdict: 'restored', heldPlans: [plan.uuid] });
  const first = (await store.changes.bounds()).epoch;
  await store.lineage.declareRestored();
  expect(first).toBeGreaterThan(epoch);
  expect((await store.changes.bounds()).epoch).toBeGreaterThan(first);
});
