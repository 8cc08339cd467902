import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase, useStore } from '#tests';

const run = promisify(execFile);
const { store, url } = await useStore();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-watcher-sync-'));
  symlinkSync(resolve('dist/services/watcher-command.js'), join(folder, 'watcher-sync'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `watcher-sync` as a deployment tool calls it, with a configuration file that names this database. */
async function sync(databaseUrl: string, lines: readonly string[] = [], words: readonly string[] = []) {
  const file = join(folder, 'watcher.conf');
  const database = ['[database]', 'connection = mysql+pymysql://watcher:secret@10.0.0.9/watcher'];
  writeFileSync(file, [...database, '[vigil]', `database_url = ${databaseUrl}`, ...lines, ''].join('\n'));
  const command = [join(folder, 'watcher-sync'), '--config-file', file, ...words];
  const env = { PATH: process.env.PATH, HOME: folder };
  return run(process.execPath, command, { env })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
    .catch((error: { code: number; stdout: string; stderr: string }) => error);
}

test('watcher-sync stores goals, strategies and scoring engines, and ends', async () => {
  expect(await store.db.goals.list()).toEqual([]);
  expect(await sync(url)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created: .*goal dummy.*\n$/) });
  const goal = await store.db.goals.get('server_consolidation');
  expect(await store.db.strategies.get('basic')).toMatchObject({ goalId: goal.id });

  expect(await sync(url, [], ['--debug', '--log-dir=/var/log/watcher'])).toMatchObject({ code: 0 });
  expect(await store.db.goals.get('server_consolidation')).toEqual(goal);
  expect(JSON.parse((await sync(url, [], ['--json'])).stdout)).toEqual({ created: [], changed: [], removed: [] });
});

test('entries of a plugin that cannot be loaded stay', async () => {
  const goal = await store.db.goals.insert({
    uuid: crypto.randomUUID(),
    name: 'theirs',
    displayName: 'Theirs',
    efficacySpecification: [],
  });
  const broken = ['[vigil-decision-engine]', 'plugins = /nowhere/at-all'];
  const kept = await sync(url, broken);
  expect(kept.code).toBe(0);
  expect(kept.stderr).toContain('/nowhere/at-all');
  expect(await store.db.goals.get('theirs')).toEqual(goal);

  expect(await sync(url)).toMatchObject({ code: 0, stdout: 'removed: goal theirs\n' });
});

test('wrong usage, and a database without the schema or without a server, end with a message', async () => {
  expect(await sync(url, [], ['--nope'])).toMatchObject({ code: 2 });
  const { url: empty } = await useDatabase({ migrated: false });
  expect(await sync(empty)).toMatchObject({ code: 1, stderr: expect.stringContaining('vigil db upgrade') });
  const nowhere = 'postgres://vigil:secret@127.0.0.1:1/vigil';
  expect(await sync(nowhere)).toMatchObject({ code: 1, stderr: expect.not.stringContaining('    at ') });
});
