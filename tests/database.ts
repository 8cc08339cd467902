import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { silentLogger } from '#libs/domain';
import { upgradeSchema } from '#libs/store';
import { migrations } from '#migrations';
import { testServerUrl } from './servers/test-server-url.ts';

/** A database that only one test file uses. */
export interface TestDatabase {
  /** URL with user and password of the separate database. */
  url: string;
  drop(): Promise<void>;
}

const adminUrl = () => testServerUrl('postgres');

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * By server: one connection of this process that makes and drops all its databases, because opening a connection costs
 * as much as a drop.
 */
const makers = new Map<string, pg.Pool>();

function maker(): pg.Pool {
  const url = adminUrl();
  let pool = makers.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 60_000 });
    // The server closes the connection when it stops.
    pool.on('error', () => undefined);
    makers.set(url, pool);
  }
  return pool;
}

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  // On a busy machine requests of a test wait longer for a free connection than operators would.
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}

type QueryRunner = Parameters<InstanceType<(typeof migrations)[number]>['up']>[0];

interface Migration {
  /** Default: that of its class. */
  readonly name?: string;
  up(runner: QueryRunner): Promise<void>;
}

/** Only records the statements of a migration. They return no rows. */
function createRecorder(note: (sql: string, values: unknown) => void): QueryRunner {
  const query = async (sql: string, values?: unknown[]) => note(sql, values);
  return { query } as unknown as QueryRunner;
}

/**
 * A hash of the names and statements of the migrations as loaded by this process. Their files may already differ while
 * one is being edited.
 */
export async function templateName(loaded: readonly (new () => Migration)[] = migrations): Promise<string> {
  const hash = createHash('sha256');
  const recorder = createRecorder((sql, values) => hash.update(JSON.stringify([sql, values ?? []])));
  for (const Migration of loaded) {
    const migration = new Migration();
    // The text of the class includes logic that its statements do not show.
    hash.update(JSON.stringify([migration.name ?? Migration.name, String(Migration)]));
    await migration.up(recorder);
  }
  return `vigil_template_${hash.digest('hex').slice(0, 16)}`;
}

/** Makes the migrated template if it does not exist. Only a finished template is marked as such. */
async function ensureTemplate(name: string): Promise<void> {
  await asAdmin(async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const found = await client.query('SELECT datistemplate FROM pg_database WHERE datname = $1', [name]);
    if (found.rows[0]?.datistemplate === true) return;
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await upgradeSchema(urlOf(name), { logger: silentLogger });
    await client.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true`);
  });
}

/** Names of the existing templates, by server. Each process checks once. */
const templates = new Map<string, Promise<string>>();

function findTemplate(): Promise<string> {
  const server = adminUrl();
  const known = templates.get(server);
  if (known) return known;
  const made = templateName().then(async (name) => {
    await ensureTemplate(name);
    return name;
  });
  templates.set(server, made);
  made.catch(() => templates.delete(server));
  return made;
}

/**
 * Makes a fresh database on the server of `VIGIL_TEST_POSTGRES_URL`: a clone of the migrated template, or an empty one
 * with `migrated: false`. Drop it when the test file ends, and close its connections first. `end` of a `pg.Client`
 * waits for the close. `end` of a `pg.Pool` does not, and the drop then reaches a pool without a listener as an
 * uncaught error. With VIGIL_TEST_KEEP_DATABASES a drop only ends the connections, and the files go with the server. A
 * file system without journal checks every recently deleted file when it makes a new one: with 640 of them five sixths
 * of a clone's time.
 */
export async function createTestDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `vigil_test_${randomUUID().replaceAll('-', '')}`;
  const template = options.migrated === false ? 'template0' : await findTemplate();
  // The default, page by page, fills the server's memory. Checkpoints then write it out, and drops search it.
  await maker().query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    url: urlOf(name),
    async drop() {
      if (process.env.VIGIL_TEST_KEEP_DATABASES === undefined)
        await maker().query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      else await maker().query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    },
  };
}
