import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { upgradeSchema } from '#libs/store';
import { silentLogger } from './action-context.ts';

/** A database that one test file has for itself. */
export interface TestDatabase {
  /** URL with user and password; a database of its own. */
  url: string;
  drop(): Promise<void>;
}

function adminUrl(): string {
  const url = process.env.VIGIL_TEST_POSTGRES_URL;
  if (!url) {
    throw new Error(
      'VIGIL_TEST_POSTGRES_URL is not set: the global setup of the test runner starts a PostgreSQL and sets it, or set it to the URL of a server on which databases may be created',
    );
  }
  return url;
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** Differs whenever a migration differs, so that a template of older migrations is never used. */
function templateName(): string {
  const folder = new URL('../../migrations/', import.meta.url);
  const hash = createHash('sha256');
  for (const file of readdirSync(folder)
    .filter((name) => /^(\d+-.*|migrations)\.(ts|js)$/.test(name))
    .sort()) {
    hash.update(file).update(readFileSync(new URL(file, folder)));
  }
  return `vigil_template_${hash.digest('hex').slice(0, 16)}`;
}

/** Makes the migrated template unless it is there. Only a finished one is marked as template. */
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

/**
 * A fresh database on the server of `VIGIL_TEST_POSTGRES_URL`: a clone of the migrated template, or with
 * `migrated: false` an empty one. Drop it when the test file ends.
 */
export async function createTestDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `vigil_test_${randomUUID().replaceAll('-', '')}`;
  let template = 'template0';
  if (options.migrated !== false) {
    template = templateName();
    await ensureTemplate(template);
  }
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: urlOf(name),
    async drop() {
      await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
