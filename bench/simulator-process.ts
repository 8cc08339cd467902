import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock, Logger } from '#libs/domain';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';

/** A simulated cloud in a process of its own. */
interface SimulatorProcess {
  /** Where it serves. */
  url: string;
  /** Environment with which the OpenStack client reaches it. */
  cloudEnv: Record<string, string>;
  stop(): Promise<void>;
}

/** A log that keeps nothing. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

/** The time of day. */
export const wallClock: Clock = { now: () => performance.timeOrigin + performance.now() };

const password = 'bench';
const startLimitMs = 60_000;

function whenReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the simulator did not start in time')), startLimitMs);
    child.once('exit', (code) => reject(new Error(`the simulator ended with exit code ${code}`)));
    child.on('message', (message: { type?: string; url?: string | null }) => {
      if (message.type !== 'ready' || !message.url) return;
      clearTimeout(timer);
      resolve(message.url);
    });
  });
}

/** Starts the built simulator on a free port, without history. Rejects when it does not come up. */
async function startSimulatorProcess(world: string): Promise<SimulatorProcess> {
  const program = fileURLToPath(new URL('../services/vigil.js', import.meta.url));
  const child = fork(program, ['simulator', '--port', '0', '--world', world, '--backfill-minutes', '0'], {
    env: { PATH: process.env.PATH, VIGIL_SIMULATOR_PASSWORD: password, VIGIL_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await ended;
  }
  try {
    const url = await whenReady(child);
    return { url, stop, cloudEnv: cloudEnvironment(url) };
  } catch (error) {
    if (child.exitCode === null) await stop();
    throw error;
  }
}

function cloudEnvironment(url: string): Record<string, string> {
  return {
    OS_AUTH_URL: `${url}/identity/v3`,
    OS_USERNAME: 'vigil',
    OS_PASSWORD: password,
    OS_PROJECT_NAME: 'service',
    OS_USER_DOMAIN_NAME: 'Default',
    OS_PROJECT_DOMAIN_NAME: 'Default',
  };
}

/** Runs a task on a simulated cloud of a shipped world, through the real client, and clears both away. */
export async function withSimulatedCloud(world: string, task: (cloud: Cloud) => Promise<void>): Promise<void> {
  const simulator = await startSimulatorProcess(world);
  try {
    const config = openStackConfigFromEnv(simulator.cloudEnv);
    const cloud = createOpenStackCloud(config, { logger: silent, clock: wallClock });
    try {
      await task(cloud);
    } finally {
      await cloud.close();
    }
  } finally {
    await simulator.stop();
  }
}
