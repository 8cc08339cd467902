// @needs mariadb, mariadbClient
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { importWatcher, readWatcher } from '#libs/store';
import { testServerUrl, useDatabase } from '#tests';

/** Watcher 9.0.0 with its rows, see `import-watcher.db.test.ts`. */
const peerDump = fileURLToPath(new URL('./testing/watcher-9-mysqldump.sql', import.meta.url));
const server = new URL(testServerUrl('mariadb'));
const client = testServerUrl('mariadbClient');
const name = `watcher_${process.pid}`;

/** Runs SQL with the client `mariadb`, as an operator does. */
async function run(sql: string, ...args: string[]): Promise<string> {
  const at = [
    '--no-defaults',
    '--default-character-set=utf8mb4',
    `--host=${server.hostname}`,
    `--port=${server.port}`,
    `--user=${server.username}`,
  ];
  const env = { ...process.env, MYSQL_PWD: decodeURIComponent(server.password) };
  const running = promisify(execFile)(client, [...at, ...args], { env, timeout: 60_000 });
  running.child.stdin?.end(sql);
  return (await running).stdout;
}

const { url: databaseUrl } = await useDatabase();
await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
await run(await readFile(peerDump, 'utf8'), name);
afterAll(async () => {
  await run(`DROP DATABASE ${name}`);
});

it('imports a Watcher from a running MariaDB, and changes nothing there', async () => {
  process.env.PATH = `${dirname(client)}:${process.env.PATH}`;
  await run("UPDATE audits SET name = 'größer – 日本' WHERE name = 'first'", name);
  const checksums = () => run('CHECKSUM TABLE goals, audits, action_plans, actions', '--skip-column-names', name);
  const before = await checksums();

  const url = `mysql+pymysql://${server.username}:${server.password}@${server.host}/${name}?charset=utf8`;
  const tables = await readWatcher(url, { logger });
  const { imported } = await importWatcher(databaseUrl, tables, { logger });

  expect(imported).toMatchObject({ goals: 10, audits: 4, action_plans: 6, actions: 24 });
  expect(tables.get('audits')?.map((row) => row.name)).toContain('größer – 日本');
  expect(await checksums()).toBe(before);
  const again = await importWatcher(databaseUrl, await readWatcher(url, { logger }), { logger });
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);

  const refused = `mysql://${server.username}:wrong@${server.host}/${name}`;
  await expect(readWatcher(refused, { logger })).rejects.toThrow(/mariadb-dump could not read .*: .*Access denied/);
  const absent = url.replace(name, 'no_such_database');
  await expect(readWatcher(absent, { logger })).rejects.toThrow(/Unknown database 'no_such_database'/);
});
