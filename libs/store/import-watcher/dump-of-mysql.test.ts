import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dumpOfMysql } from './dump-of-mysql.ts';

let folder: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-mysql-'));
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

/** A client with that name that runs the given shell code. */
function client(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
const url = 'mysql://watcher:p%40w@db.example.org/watcher?charset=utf8';

it('is the output of the MySQL client; the password is not an argument', async () => {
  client('mysqldump', 'echo "$MYSQL_PWD: $*"');
  expect(await dumpOfMysql(url)).toBe(
    'p@w: --host=db.example.org --port=3306 --protocol=tcp --user=watcher --single-transaction --skip-lock-tables watcher\n',
  );
});

it('reports the error of the client, and the packages to install without one', async () => {
  client('mariadb-dump', 'echo "Access denied" >&2; exit 2');
  await expect(dumpOfMysql(url)).rejects.toThrow('mariadb-dump could not read db.example.org/watcher: Access denied');
  rmSync(join(folder, 'mariadb-dump'));
  await expect(dumpOfMysql(url)).rejects.toThrow('install mariadb-dump or mysqldump, or make a dump elsewhere');
});
