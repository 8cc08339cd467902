// @needs build
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clearLeftState } from './clear-left-state.ts';

const compiled = (name: string) => JSON.stringify(resolve(`dist/tests/servers/${name}.js`));

/** Runs a module that ends with a line of JSON, then kills it, so that its children are orphans. */
async function startAndKill<Told>(code: string): Promise<Told> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '--eval', `${code}; setInterval(() => 0, 1000);`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  child.kill('SIGKILL');
  return JSON.parse(line.toString()) as Told;
}

/**
 * State letter of `/proc`, such as `T` for stopped. Null for a process that has ended, or whose parent has not noticed
 * yet.
 */
function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0] ?? null;
    return state === 'Z' ? null : state;
  } catch {
    return null;
  }
}

test('a frozen process continues when the process that froze it is killed', async () => {
  const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void sleeper.kill('SIGKILL'));
  await startAndKill(`
    const { freezeProcess } = await import(${compiled('freeze-process')});
    freezeProcess(${sleeper.pid});
    console.log('{}')`);
  await expect.poll(() => stateOf(Number(sleeper.pid))).toBe('S');
});

test('a frozen PostgreSQL ends, with its folder, when the process that started it is killed', async () => {
  const { pid, folder } = await startAndKill<{ pid: number; folder: string }>(`
    const { startGuardedPostgres } = await import(${compiled('guarded-postgres')});
    const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
    const server = await startGuardedPostgres({ name: 'left', settings: {}, logger });
    process.kill(server.pid, 'SIGSTOP');
    console.log(JSON.stringify({ pid: server.pid, folder: server.dataDir }))`);
  await expect.poll(() => stateOf(pid)).toBeNull();
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('folders that a run left whose guards were killed too are removed by the next one, and no others', async () => {
  const make = (prefix: string, ageSeconds: number) => {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const at = Date.now() / 1000 - ageSeconds;
    utimesSync(folder, at, at);
    return folder;
  };
  const left = make('vigil-test-left-', 7200);
  const young = make('vigil-test-left-', 60);
  const foreign = make('left-', 7200);
  const used = make('vigil-test-left-', 7200);
  const guard = spawn('sh', ['-c', 'read -r _', 'guard', used], { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void guard.kill('SIGKILL'));
  await once(guard, 'spawn');

  clearLeftState();

  expect([left, young, foreign, used].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
});
