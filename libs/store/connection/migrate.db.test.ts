import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, silentLogger, type TestDatabase } from '#libs/testing';
import { migrations } from '#migrations';
import { createStore } from '../create-store.ts';
import { openDataSource } from './data-source.ts';
import { downgradeSchema } from './downgrade.ts';
import { upgradeSchema } from './migrate.ts';
import { schemaStatus } from './schema-status.ts';

const logger = silentLogger;
const confirm = async () => true;
const names = migrations.map((migration) => migration.name);
const open: TestDatabase[] = [];

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ migrated: false });
  open.push(database);
  return database.url;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.drop()));
});

test('all migrations go up, down and up again', async () => {
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

test('a downgrade goes back by steps or to a named migration', async () => {
  const url = await emptyDatabase();
  await upgradeSchema(url, { logger });
  await downgradeSchema(url, { steps: 1, logger, confirm });
  expect(await schemaStatus(url, { logger })).toMatchObject({ state: 'pending', applied: names.slice(0, -1) });
  await downgradeSchema(url, { to: names[0] ?? '', logger, confirm });
  expect((await schemaStatus(url, { logger })).applied).toEqual(names.slice(0, 1));
  await expect(downgradeSchema(url, { to: 'Nothing1', logger, confirm })).rejects.toThrow(/Nothing1 is not applied/);
});

test('the migrated tables are what the schemas of TypeORM describe', async () => {
  const database = await createTestDatabase();
  open.push(database);
  const dataSource = await openDataSource({ url: database.url, logger });
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map((query) => query.query)).toEqual([]);
});

test('of two upgrades at once one does the work', async () => {
  const url = await emptyDatabase();
  const results = await Promise.all([upgradeSchema(url, { logger }), upgradeSchema(url, { logger })]);
  expect(results.map((result) => result.applied.length).sort()).toEqual([0, names.length]);
});

test('a store refuses a schema that is not its own and says what to do', async () => {
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

test('a migration that only adds is marked before it is applied', async () => {
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
  ['a text that is no URL', () => 'nowhere', /must look like postgres:/],
  ['another scheme', () => 'http://localhost/x', /must look like postgres:/],
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
