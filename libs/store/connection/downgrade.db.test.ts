import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore, type DowngradePlan } from '#libs/store';
import { migrations } from '#migrations';
import { insertPlanWorld, runSql, useDatabase } from '#tests';
import { openDataSource } from './data-source.ts';
import { downgradeSchema } from './downgrade.ts';
import { countLosses, readShape } from './schema-losses.ts';
import { schemaStatus } from './schema-status.ts';

const logger = silentLogger;
const names = migrations.map((migration) => migration.name);
const stepsToTasks = names.length - names.indexOf('Tasks1795305607000');
let url: string;
beforeEach(async () => {
  ({ url } = await useDatabase());
});

const applied = async () => (await schemaStatus(url, { logger })).applied;
const downgrade = (steps: number, confirm: (plan: DowngradePlan) => Promise<boolean> = async () => true) =>
  downgradeSchema(url, { steps, logger, confirm });

async function register(leaseSeconds: number): Promise<void> {
  await runSql(
    url,
    `INSERT INTO service_instances (instance_id, service_type, service_name, host, pid, version, state, lease_expires_at)
     VALUES ('${randomUUID()}', 'watcher-applier', 'applier', 'node-1', 4711, '1', 'STARTED',
       now() + interval '${leaseSeconds} seconds')`,
  );
}

test('it lists the losses, and changes nothing when the user declines', async () => {
  const store = await createStore({ url, logger });
  await insertPlanWorld(store.db);
  await store.close();
  await runSql(url, `INSERT INTO config_warnings (source, name, reason) VALUES ('a', 'b', 'c')`);
  const plans: DowngradePlan[] = [];
  const refuse = async (plan: DowngradePlan) => {
    plans.push(plan);
    return false;
  };
  expect(await downgrade(stepsToTasks, refuse)).toMatchObject({ isDone: false });
  expect(plans[0]?.reverted.at(-1)).toBe('Tasks1795305607000');
  expect(plans[0]?.losses.tables).toEqual(
    expect.arrayContaining([
      { name: 'config_warnings', rows: 1 },
      { name: 'tasks', rows: 0 },
    ]),
  );
  expect(await applied()).toEqual(names);
});

test('dropped columns of remaining tables are losses, with the number of their values', async () => {
  const store = await createStore({ url, logger });
  await insertPlanWorld(store.db, { plan: () => ({ rollsBack: randomUUID() }) });
  await store.close();
  const dataSource = await openDataSource({ url, logger });
  const query = (sql: string) => dataSource.query<Record<string, unknown>[]>(sql);
  const before = await readShape(query);
  const kept = [...(before.get('action_plans') ?? [])].filter((column) => column !== 'rolls_back');
  const losses = await countLosses(query, before, new Map(before).set('action_plans', new Set(kept)));
  await dataSource.destroy();
  expect(losses).toEqual({ tables: [], columns: [{ table: 'action_plans', name: 'rolls_back', values: 1 }] });
});

test('live processes with their names prevent it, expired ones do not', async () => {
  await register(20);
  await expect(downgrade(1)).rejects.toThrow(/applier@node-1 \(pid 4711\)\. Stop them first; .* for (19|20) s more/);
  expect(await applied()).toEqual(names);
  await runSql(url, 'UPDATE service_instances SET lease_expires_at = now()');
  expect(await downgrade(1)).toMatchObject({ isDone: true });
});

test('a process that registers during the confirmation prevents it', async () => {
  await expect(
    downgrade(1, async () => {
      await register(20);
      return true;
    }),
  ).rejects.toThrow(/Stop them first/);
  expect(await applied()).toEqual(names);
});

test('either all of several steps are reverted or none', async () => {
  // An object of the operator, which prevents a migration in the middle from dropping its table.
  await runSql(url, 'CREATE VIEW mine AS SELECT name FROM config_warnings');
  await expect(downgrade(stepsToTasks)).rejects.toThrow(/Tasks1795305607000 cannot be reverted, nothing was changed/);
  expect(await applied()).toEqual(names);
});
