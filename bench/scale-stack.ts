import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VigilClient } from '#libs/client';
import { onInterrupt } from '#libs/service-kit';
import { findFreePorts } from '#libs/service-kit/embedded';
import { adminClient } from '../tests/system/test-stack.ts';
import { findStackProcesses, type StackProcesses } from './process-costs.ts';
import { startVigilProcess } from './vigil-process.ts';

/** A cloud to simulate, and the most migrations of a plan. */
export interface ScaleWorld {
  hosts: number;
  instances: number;
  moves: number;
}

/** A running `vigil up`. */
export interface ScaleStack {
  client: VigilClient;
  processes: StackProcesses;
  /** Time from its start until it was ready, in seconds. */
  readySeconds: number;
}

const startLimitMs = 600_000;
const requestLimitMs = 120_000;

/**
 * Runs a task on a `vigil up` with an embedded database and a simulated cloud, and removes both, also after an
 * interrupt. The error output has its steps.
 */
export async function withScaleStack(
  { hosts, instances, moves }: ScaleWorld,
  task: (stack: ScaleStack) => Promise<void>,
): Promise<void> {
  if (process.platform !== 'linux') throw new Error('costs of processes are read from /proc, which needs Linux');
  const ending = new AbortController();
  const giveBack = onInterrupt((signal) => ending.abort(new Error(`ended by ${signal}`)));
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
  // The database may run under another account.
  await chmod(folder, 0o755);
  try {
    const [simulatorPort] = await findFreePorts(1);
    const begin = performance.now();
    const up = await startVigilProcess(
      ['up'],
      {
        VIGIL_DATA_DIR: folder,
        VIGIL_PORT: '0',
        VIGIL_SIMULATOR_PORT: String(simulatorPort),
        VIGIL_SIMULATOR_GENERATE: `hosts=${hosts},instances=${instances},seed=11,skew=0.1`,
        VIGIL_PLAN_MIGRATION_BUDGET: String(moves),
      },
      { limitMs: startLimitMs, isShown: true, detached: true },
    );
    try {
      const readySeconds = (performance.now() - begin) / 1000;
      const client = adminClient(up.url, `http://127.0.0.1:${simulatorPort}`, {
        timeoutMs: requestLimitMs,
        signal: ending.signal,
      });
      await task({ client, processes: findStackProcesses(up.pid), readySeconds });
    } finally {
      await up.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    giveBack();
  }
}
