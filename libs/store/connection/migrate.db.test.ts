import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { migrations } from '#migrations';
import { createTestDatabase, runSql, type TestDatabase } from '#tests';
import { createStore } from '../create-store.ts';
import { openDataSource } from './data-source.ts';
import { downgradeSchema } from './downgrade.ts';
import { firstVersion, formerMigrations, lastOfFirst } from './former-migrations.ts';
import { upgradeSchema } from './migrate.ts';
import { schemaStatus } from './schema-status.ts';

const logger = silentLogger;
const confirm = async () => true;
const names = migrations.map((migration) => migration.name);
/** Migrations after the former ones. */
const later = names.slice(names.indexOf(lastOfFirst) + 1);
const open: TestDatabase[] = [];

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ migrated: false });
  open.push(database);
  return database.url;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.drop()));
});

test('all migrations run up, down and up again', async () => {
  const url = await emptyDatabase();
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: names });
  expect((await downgradeSchema(url, { to: 'base', logger, confirm })).reverted).toEqual([...names].reverse());
  expect((await schemaStatus(url, { logger })).state).toBe('empty');

  const dataSource = await openDataSource({ url, logger });
  const left = await dataSource.query(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'S') AND c.relname NOT LIKE 'schema_migrations%'
     UNION ALL SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'`,
  );
  await dataSource.destroy();
  expect(left).toEqual([]);

  expect(await upgradeSchema(url, { logger })).toEqual({ applied: names });
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: [] });
  expect((await schemaStatus(url, { logger })).state).toBe('current');
});

test('a downgrade reverts a number of migrations or stops at a named one', async () => {
  const url = await emptyDatabase();
  await upgradeSchema(url, { logger });
  await downgradeSchema(url, { steps: 1, logger, confirm });
  expect(await schemaStatus(url, { logger })).toMatchObject({ state: 'pending', applied: names.slice(0, -1) });
  await downgradeSchema(url, { to: names[0] ?? '', logger, confirm });
  expect((await schemaStatus(url, { logger })).applied).toEqual(names.slice(0, 1));
  await expect(downgradeSchema(url, { to: 'Nothing1', logger, confirm })).rejects.toThrow(/Nothing1 is not applied/);
});

test('the migrated tables match the schemas of TypeORM', async () => {
  const database = await createTestDatabase();
  open.push(database);
  const dataSource = await openDataSource({ url: database.url, logger });
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map((query) => query.query)).toEqual([]);
});

test('two concurrent upgrades run each migration once', async () => {
  const url = await emptyDatabase();
  const results = await Promise.all([upgradeSchema(url, { logger }), upgradeSchema(url, { logger })]);
  expect(results.map((result) => result.applied.length).sort()).toEqual([0, names.length]);
});

test('a store refuses an unknown schema and reports the remedy', async () => {
  const url = await emptyDatabase();
  await expect(createStore({ url, logger })).rejects.toThrow(/has no schema yet: run `vigil db upgrade`/);
  await upgradeSchema(url, { logger });
  await downgradeSchema(url, { steps: 1, logger, confirm });
  await expect(createStore({ url, logger })).rejects.toThrow(/lacks migrations .*: run `vigil db upgrade`/);
  await upgradeSchema(url, { logger });

  const dataSource = await openDataSource({ url, logger });
  await dataSource.query(
    `INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Future9999999999999')`,
  );
  await expect(createStore({ url, logger })).rejects.toThrow(/newer version of Vigil \(Future9999999999999\)/);
  await expect(upgradeSchema(url, { logger })).rejects.toThrow(/newer version/);

  await dataSource.query(`INSERT INTO schema_migrations_additive VALUES ('Future9999999999999')`);
  expect(await schemaStatus(url, { logger })).toMatchObject({ state: 'ahead', unknown: ['Future9999999999999'] });
  const store = await createStore({ url, logger });
  await store.close();
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: [] });
  await expect(downgradeSchema(url, { steps: 1, logger, confirm })).rejects.toThrow(/newer version/);
  await dataSource.query(`DELETE FROM schema_migrations WHERE name = $1`, [names.at(-1)]);
  await dataSource.destroy();
  await expect(createStore({ url, logger })).rejects.toThrow(/newer version of Vigil/);
});

/** A database of an earlier version, which lists `applied` instead of the former names. */
async function listMigrations(applied: readonly string[]): Promise<string> {
  const database = await createTestDatabase();
  open.push(database);
  await downgradeSchema(database.url, { to: lastOfFirst, logger, confirm });
  const rows = applied.map((name) => `(${name.slice(-13)}, '${name}')`).join(', ');
  await runSql(
    database.url,
    `DELETE FROM schema_migrations; INSERT INTO schema_migrations (timestamp, name) VALUES ${rows};
     DELETE FROM schema_migrations_additive; INSERT INTO schema_migrations_additive VALUES ('${applied.at(-1)}')`,
  );
  return database.url;
}

test('a schema with all former migrations is used unchanged, and lists the current names', async () => {
  const url = await listMigrations(formerMigrations);
  expect(await schemaStatus(url, { logger })).toMatchObject({ pending: later });
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: later });
  expect(await schemaStatus(url, { logger })).toMatchObject({ state: 'current', applied: names });
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: [] });
  const dataSource = await openDataSource({ url, logger });
  const listed = await dataSource.query('SELECT name FROM schema_migrations ORDER BY id');
  const marked = await dataSource.query('SELECT name FROM schema_migrations_additive');
  await dataSource.destroy();
  expect(listed).toEqual(names.map((name) => ({ name })));
  expect(marked).toEqual(later.map((name) => ({ name })));
  expect((await downgradeSchema(url, { to: 'base', logger, confirm })).reverted).toEqual([...names].reverse());
});

test('a schema with some former migrations is refused with the remedy', async () => {
  const url = await listMigrations(formerMigrations.slice(0, -1));
  const message =
    /development version between 0\.1\.0 .*TraceContexts1795219480000\); upgrade it with the last such version/;
  await expect(createStore({ url, logger })).rejects.toThrow(message);
  await expect(upgradeSchema(url, { logger })).rejects.toThrow(message);
});

/** Reverts all migrations after 0.1.0. */
const toFirstVersion = `
  DROP TABLE plan_totals, store_lineage, plan_hosts, placement_rules, plan_objectives, audit_variants;
  ALTER TABLE dashboard_sessions DROP COLUMN ends_at;
  DROP INDEX uq_action_plans_open_rollback, ix_actions_input_parameters;
  CREATE UNIQUE INDEX uq_action_plans_open_rollback ON action_plans (rolls_back) WHERE deleted = 0 AND state = 'PENDING';
  ${['audits', 'action_plans', 'outbox', 'bus_messages', 'bus_dead_letters'].map((table) => `ALTER TABLE ${table} DROP COLUMN traceparent;`).join(' ')}
  DROP TRIGGER change_log_dynamic ON change_log;
  CREATE TRIGGER change_log_dynamic AFTER INSERT ON change_log FOR EACH STATEMENT EXECUTE FUNCTION tell_of_changes();
  DROP TRIGGER actions_insert ON actions; DROP TRIGGER actions_update ON actions; DROP TRIGGER actions_delete ON actions;
  CREATE TRIGGER actions_change AFTER INSERT ON actions FOR EACH ROW EXECUTE FUNCTION record_change('action', 'uuid');
  DROP TRIGGER actions_touch ON actions; DROP FUNCTION touch_changed_row(); DROP FUNCTION record_action_changes();
  CREATE TRIGGER actions_touch BEFORE UPDATE ON actions FOR EACH ROW EXECUTE FUNCTION touch_row();
  DROP TABLE schema_migrations_additive;
`;

/** Columns, indices, constraints, triggers and functions of the schema, as PostgreSQL writes them. */
const describeSchema = `
  SELECT format('%s.%s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull) AS line
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ORDER BY 1`;

test('a schema of 0.1.0 is upgraded to the current one', async () => {
  const today = await createTestDatabase();
  open.push(today);
  const current = await openDataSource({ url: today.url, logger });
  const expected = await current.query(describeSchema);
  await current.destroy();
  const url = await listMigrations(firstVersion);
  const dataSource = await openDataSource({ url, logger });
  await dataSource.query(toFirstVersion);
  await expect(createStore({ url, logger })).rejects.toThrow(/lacks migrations .*: run `vigil db upgrade`/);
  expect(await upgradeSchema(url, { logger })).toEqual({ applied: [lastOfFirst, ...later] });
  const schema = await dataSource.query(describeSchema);
  await dataSource.destroy();
  expect(schema).toEqual(expected);
  expect(await schemaStatus(url, { logger })).toMatchObject({ state: 'current', applied: names });
});

test('an additive migration is recorded before it is applied', async () => {
  const url = await emptyDatabase();
  await upgradeSchema(url, { logger });
  const dataSource = await openDataSource({ url, logger });
  const marked = await dataSource.query('SELECT name FROM schema_migrations_additive');
  await dataSource.destroy();
  const additive = migrations.filter((Step) => new Step().isAdditive).map(({ name }) => ({ name }));
  expect(additive.length).toBeGreaterThan(0);
  expect(marked).toEqual(expect.arrayContaining(additive));
  expect(marked).toHaveLength(additive.length);
});

test.each([
  ['a text that is not a URL', () => 'nowhere', /must have the form postgres:/],
  ['another scheme', () => 'http://localhost/x', /must have the form postgres:/],
  [
    'a port nobody listens on',
    () => 'postgres://u:secret@127.0.0.1:1/x',
    /127\.0\.0\.1:1\/x: the connection was refused/,
  ],
  ['a host that does not exist', () => 'postgres://u:secret@no-such-host.invalid/x', /cannot be resolved/],
  [
    'a wrong password',
    (url: URL) => {
      url.password = 'wrong-secret';
      return url.href;
    },
    /user or password were refused/,
  ],
  [
    'a server without TLS that is asked for it',
    (url: URL) => {
      url.searchParams.set('sslmode', 'verify-full');
      return url.href;
    },
    /does not support SSL/,
  ],
  [
    'a database that does not exist',
    (url: URL) => {
      url.pathname = '/no_such_database';
      return url.href;
    },
    /"no_such_database" does not exist/,
  ],
])('opening a store at %s ends in a clear operator error', async (_case, urlOf, message) => {
  const url = urlOf(new URL(process.env.VIGIL_TEST_POSTGRES_URL ?? ''));
  const failure = await createStore({ url, logger }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'operator' });
  expect(String(failure)).toMatch(message);
  expect(String(failure)).not.toMatch(/secret/);
});
