import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '#libs/domain';
import { findRunningStack, type ReadyMessage, waitForExit } from '#libs/service-kit';
import type { DemoOptions } from './options.ts';

export interface DemoStack {
  /** Origin of the API. */
  apiUrl: string;
  /** Origin of the simulated cloud. */
  cloudUrl: string;
  /** Password of the simulated cloud's users. */
  password: string;
  /** Resolves when the stack has ended, for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts `vigil up` with everything embedded, in the demo's data folder.
 * @param hooks `say` gets the stack's output, line by line. `signal` cancels the start.
 * @throws OperatorError when it does not come up. It has printed the reason.
 */
export async function startStack(
  options: DemoOptions,
  hooks: { say(line: string): void; signal: AbortSignal },
): Promise<DemoStack> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of ['OS_AUTH_URL', 'VIGIL_DATABASE_URL', 'VIGIL_AMQP_URL', 'VIGIL_INFLUX_URL']) delete env[name];
  Object.assign(env, {
    VIGIL_DATA_DIR: resolve(join(process.env.VIGIL_DATA_DIR ?? '.vigil', 'demo')),
    VIGIL_SIMULATOR_WORLD: options.world,
    VIGIL_SIMULATOR_SPEED: String(options.speed),
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '1',
    VIGIL_SIMULATOR_SAMPLE_SECONDS: '1',
    VIGIL_MODEL_MAX_AGE_SECONDS: '1',
    VIGIL_MIGRATION_POLL_SECONDS: '0.3',
  });
  const child = spawn(process.execPath, [fileURLToPath(new URL('../vigil.js', import.meta.url)), 'up'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
    // Only the demo receives Ctrl-C, and then stops the stack gracefully.
    detached: true,
  });
  createInterface({ input: child.stdout! }).on('line', hooks.say);
  const exited = waitForExit(child);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  // A stop signal during the start ends it gracefully.
  hooks.signal.addEventListener('abort', () => void stop());
  const apiUrl = await Promise.race([
    new Promise<string>((done) => {
      child.once('message', (message: ReadyMessage) => done(message.url ?? ''));
    }),
    exited.then(() => {
      throw new OperatorError('the stack did not start; the reason is above', { exitCode: child.exitCode || 1 });
    }),
  ]);
  // From its own output: port 0 selects any free port.
  const cloud = findRunningStack(env)?.env.OS_AUTH_URL;
  if (cloud === undefined) throw new OperatorError('the stack does not report the address of its simulated cloud');
  return {
    apiUrl,
    cloudUrl: new URL(cloud).origin,
    password: env.VIGIL_SIMULATOR_PASSWORD ?? 'vigil',
    exited,
    stop,
  };
}
