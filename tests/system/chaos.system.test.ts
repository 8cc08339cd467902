import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** It starts separate servers, which it kills. */
async function runChaos(...args: string[]): Promise<{ exitCode: number | null; lines: string[]; trouble: string }> {
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
  const exitCode = await new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return { exitCode, lines: stdout.trim().split('\n'), trouble: stderr };
}

test('twenty kills among forty plans: nothing lost, done twice, stuck or untrue, nothing failed but by the cloud, every event published', {
  timeout: 1_200_000,
}, async () => {
  const { exitCode, lines, trouble } = await runChaos('--kills', '20', '--plans', '40', '--seed', '20260');

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
