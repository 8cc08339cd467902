import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProcessAlive } from '#libs/service-kit';
import { vigilProgram } from './vigil-process.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let folder: string;
let npm: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-npm-'));
});
afterEach(() => {
  if (npm?.pid !== undefined && npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A checkout with the real scripts but another program and build, because tests use the real ones. */
function startByNpm(
  word: string,
  build: string,
): { npm: ChildProcess; output(): string; exited: Promise<number | null> } {
  const { start, demo } = scripts;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'checkout', scripts: { start, demo, build } }));
  cpSync('scripts', join(folder, 'scripts'), { recursive: true });
  mkdirSync(join(folder, 'dist/services'), { recursive: true });
  symlinkSync(vigilProgram(), join(folder, 'dist/services/vigil.js'));
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn('npm', ['run', word], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      TMPDIR,
      VIGIL_DATA_DIR: join(folder, 'data'),
      VIGIL_PORT: '0',
      VIGIL_SIMULATOR_PORT: '0',
      VIGIL_SIMULATOR_GENERATE: 'hosts=2,instances=4',
      VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  npm = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return { npm: child, output: () => text, exited };
}

/** Pids of all processes below one. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([child, of]) => (of === parent && child !== undefined ? [child, ...below(child)] : []));
  return below(pid);
}

async function expectNoneOf(pids: number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await expect.poll(() => pids.filter(isProcessAlive)).toEqual([]);
}

describe('npm start', () => {
  it('prints the address of the dashboard first, and leaves nothing behind after SIGTERM', async () => {
    const { npm: child, output, exited } = startByNpm('start', 'node -e 0');
    await expect.poll(output, { timeout: 150_000 }).toContain('Vigil is ready: dashboard http://127.0.0.1:');
    const lines = output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('>') && !line.startsWith('npm'));
    expect(lines[0]).toMatch(
      /^Vigil is built first; then its dashboard is on a free port \(user admin, password vigil,/,
    );
    expect(lines[1]).toBe('  building from the sources …');
    expect(output()).toMatch(/starting the embedded database ….*starting the simulated cloud ….*starting api, .* …/s);
    expect(output()).toContain('applier is ready (');
    const pids = descendantsOf(child.pid!);
    child.kill('SIGTERM');
    await exited;
    await expectNoneOf(pids);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends its build too after %s', async (signal) => {
    const { npm: child, output, exited } = startByNpm('start', 'sleep 1000 & node -e "setInterval(() => {}, 1e6)"');
    await expect.poll(() => descendantsOf(child.pid!).length).toBeGreaterThanOrEqual(4);
    expect(output()).toContain('building from the sources …');
    const pids = descendantsOf(child.pid!);
    child.kill(signal);
    await exited;
    await expectNoneOf(pids);
  });

  it('ends with the build that fails', async () => {
    const { output, exited } = startByNpm('start', 'echo no such file; exit 7');
    expect(await exited).not.toBe(0);
    expect(output()).toContain('no such file');
    expect(output()).not.toContain('starting the embedded database');
  });
});

it('npm run demo leaves nothing behind when it is stopped during its start', async () => {
  const { npm: child, output, exited } = startByNpm('demo', 'node -e 0');
  await expect.poll(output, { timeout: 150_000 }).toContain('starting the simulated cloud …');
  const pids = descendantsOf(child.pid!);
  child.kill('SIGTERM');
  await exited;
  await expectNoneOf(pids);
  expect(output()).not.toContain('1. Load builds up');
});
