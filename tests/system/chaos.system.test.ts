import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, onTestFailed, test, vi } from 'vitest';

interface Chaos {
  child: ChildProcess;
  /** Standard error so far. */
  trouble(): string;
  result: Promise<ChaosRun>;
}

interface ChaosRun {
  exitCode: number | null;
  /** Lines of standard output. */
  lines: string[];
  /** Standard error. */
  trouble: string;
}

/** It starts separate servers, which it kills. */
function startChaos(...args: string[]): Chaos {
  const child = spawn(process.execPath, [resolve('dist/verify/chaos/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  // A run that exceeds the time limit has only its standard error as evidence.
  onTestFailed(() => {
    process.stderr.write(stderr);
    child.kill('SIGKILL');
  });
  const result = new Promise<ChaosRun>((done) =>
    child.once('close', (exitCode) => done({ exitCode, lines: stdout.trim().split('\n'), trouble: stderr })),
  );
  return { child, trouble: () => stderr, result };
}

/** Returns the ids of the child processes whose command line contains `text`. */
function childrenOf({ pid }: ChildProcess, text: string): number[] {
  const processes = execFileSync('ps', ['-axo', 'pid=,ppid=,args=']).toString().split('\n');
  return processes
    .map((line) => line.trim().split(/ +/))
    .filter(([, parent, ...command]) => Number(parent) === pid && command.join(' ').includes(text))
    .map(([child]) => Number(child));
}

test('twenty kills among forty plans: nothing lost, done twice, stuck or untrue, nothing failed but by the cloud, every event published', {
  timeout: 1_200_000,
}, async () => {
  const { exitCode, lines, trouble } = await startChaos('--kills', '20', '--plans', '40', '--seed', '20260').result;

  const verdict = JSON.parse(lines.at(-1) ?? '{}');
  expect(verdict, trouble).toMatchObject({
    kills: 20,
    lost: 0,
    duplicated_mutations: 0,
    stuck: 0,
    untrue: 0,
    false_failures: 0,
    foreign_aborts: 0,
    lost_events: 0,
    seed: 20260,
  });
  expect(exitCode).toBe(0);
  expect(verdict.plans).toBeGreaterThanOrEqual(40);
  // Usually ten seconds. Longer only when the machine pauses.
  expect(verdict.max_takeover_s).toBeLessThan(120);
});

test('a run ends with its first error when the simulated cloud is lost', { timeout: 300_000 }, async () => {
  const { child, trouble: troubleSoFar, result } = startChaos('--kills', '1', '--seed', '20260');
  await vi.waitUntil(() => troubleSoFar().includes('stack is ready'), { timeout: 200_000, interval: 100 });

  for (const pid of childrenOf(child, ' simulator ')) process.kill(pid, 'SIGKILL');

  const { exitCode, trouble } = await result;
  expect(trouble).toContain('chaos aborted: ');
  expect(exitCode).toBe(2);
});
