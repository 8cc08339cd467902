import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-runs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const attempts = () => join(folder, 'attempts');
const runs = () => join(folder, 'runs');

function startScript(args: readonly string[]) {
  const { VITEST: _, VIGIL_TEST_RESULT_DIR: __, VIGIL_TEST_REUSED_FILE: ___, ...inherited } = process.env;
  const env = { ...inherited, VIGIL_TEST_RUNS_DIR: runs(), FIXTURE_ATTEMPTS: attempts() };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function runScript(args: readonly string[]): Promise<{ code: number; output: string; lines: string[] }> {
  const child = startScript(args);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  return { code, output, lines: output.trimEnd().split('\n') };
}

/** Passes the named fixtures through the runner of `npm test`, or of `npm run test:rest` with `--rest`. */
function runFixtures(names: readonly string[], flags: readonly string[] = []) {
  return runScript(argumentsFor(names, flags));
}

function argumentsFor(names: readonly string[], flags: readonly string[]): string[] {
  const config = '--config=tests/runner/fixtures/vitest.config.ts';
  const files = names.map((name) => `tests/runner/fixtures/${name}.fixture.ts`);
  return ['scripts/test.mjs', '--only-tests', ...flags, config, ...files];
}

const showFlaky = async () =>
  JSON.parse((await runScript(['scripts/flaky.mjs', '--json'])).output) as {
    runs: number;
    flaky: { file: string; tests: string[]; outputs: string[] }[];
  };

it('delays the network of all processes only with --slow-network', async () => {
  expect((await runFixtures(['slow-network'], ['--slow-network'])).lines.at(-1)).toBe('1 passed, 0 failed, 0 skipped');
  expect((await runFixtures(['slow-network'])).lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});

describe('the second stage', () => {
  it('passes when a failed file passes alone, names it as flaky, and keeps both outputs', async () => {
    const { code, lines } = await runFixtures(['passes', 'fails-once'], ['--rest']);

    expect(code, lines.join('\n')).toBe(0);
    expect(readFileSync(attempts(), 'utf8')).toBe('xx');
    expect(lines.at(-1)).toBe('2 passed, 0 failed, 1 skipped');
    const named = lines.at(-2) ?? '';
    expect(named).toMatch(
      /^flaky: tests\/runner\/fixtures\/fails-once\.fixture\.ts failed, and passed when it ran alone/,
    );
    const { runs: kept, flaky } = await showFlaky();
    expect(kept).toBe(1);
    expect(flaky).toMatchObject([
      { file: 'tests/runner/fixtures/fails-once.fixture.ts', tests: ['fails the first time'] },
    ]);
    const [first, second] = (flaky[0]?.outputs ?? []).map((file) => readFileSync(file, 'utf8'));
    expect(first).toMatch(/AssertionError[\s\S]*this is attempt 1/);
    expect(second).toMatch(/this is attempt 2/);
    const shown = await runScript(['scripts/flaky.mjs']);
    expect(shown.output).toContain('fails-once.fixture.ts: 1 of 1 runs');
  });

  it('fails when the repeated file fails again', async () => {
    const { code, lines } = await runFixtures(['passes', 'fails', 'fails-once'], ['--rest']);

    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('2 passed, 1 failed, 1 skipped');
    const [failed] = lines.filter((line) => line.startsWith('failed: '));
    const [, output = ''] = /output: (.+)$/.exec(failed ?? '') ?? [];
    expect(readFileSync(output, 'utf8')).toContain("expected 'output of the product' to be 'expected output'");
    expect((await showFlaky()).flaky).toHaveLength(1);
  });
});

describe('the fast stage', () => {
  it('repeats the tests that run beside other processes only', async () => {
    const { code, lines } = await runFixtures(['passes', 'fails-once.contract']);

    expect(code, lines.join('\n')).toBe(0);
    expect(lines.at(-2)).toMatch(/^flaky: tests\/runner\/fixtures\/fails-once\.contract\.fixture\.ts failed/);
    expect(lines.at(-1)).toBe('2 passed, 0 failed, 1 skipped');
  });

  it('never repeats a plain test', async () => {
    const { code, lines } = await runFixtures(['passes', 'fails-once']);

    expect(code).toBe(1);
    expect(readFileSync(attempts(), 'utf8')).toBe('x');
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
  });

  it('is counted in the last line of a run that continues it', async () => {
    await runFixtures(['passes']);
    const { code, lines } = await runFixtures(['passes', 'fails-once'], ['--rest', '--after-fast']);

    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('3 passed, 0 failed, 2 skipped');
    expect(readdirSync(runs())).toHaveLength(2);
    expect(existsSync(join(runs(), readdirSync(runs())[0] ?? '', 'run.json'))).toBe(true);
  });
});

it('a run that is ended ends its tests', async () => {
  const runner = startScript(argumentsFor(['hangs'], []));
  runner.stdout.resume();
  runner.stderr.resume();
  await vi.waitUntil(() => existsSync(attempts()) && readFileSync(attempts(), 'utf8') !== '', { timeout: 60_000 });
  const pid = Number(readFileSync(attempts(), 'utf8'));
  runner.kill('SIGTERM');
  await once(runner, 'close');
  await vi.waitUntil(() => !isRunning(pid), { timeout: 60_000 });
  expect(runner.exitCode).not.toBe(0);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a file that hides a need fails with the line to add', async () => {
  const { code, output, lines } = await runFixtures(['declares-server', 'hides-server', 'hides-build']);

  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('2 passed, 2 failed, 0 skipped');
  expect(output).toMatch(/VIGIL_TEST_MEMCACHED_URL is not set\..* A line "\/\/ @needs memcached" at its top/);
  expect(output).toMatch(
    /hides-build\.fixture\.ts starts compiled code: declare that by a line "\/\/ @needs build" at the top/,
  );
});
