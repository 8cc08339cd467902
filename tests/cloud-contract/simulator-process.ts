import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenStackConfig } from '#libs/openstack';
import { findFreePorts } from '#libs/service-kit/embedded';
import { vigilProgram } from '../system/vigil-process.ts';
import type { Attach } from './attach-in-database.ts';

/** A simulated cloud that runs as a separate process. */
export interface SimulatorProcess {
  config: OpenStackConfig;
  /** Copies of migrations make no progress while `read` runs. */
  whileUnderWay<T>(read: () => Promise<T>): Promise<T>;
  /** Attaches a port or a share to a server, which the server's deletion detaches. */
  attach: Attach;
  /** Advances simulated time, which stands still otherwise. */
  letTimePass(): Promise<void>;
  stop(): Promise<void>;
}

const password = 'contract';
const startSeconds = 120;

/** Simulated seconds of one step: shorter than each phase of a migration that the checks observe. */
const stepSeconds = 1;

/**
 * Starts the compiled simulator with the generated world, without history, and waits until its Keystone responds.
 * Simulated time passes by `letTimePass` only.
 */
export async function startSimulatorProcess(generate: string): Promise<SimulatorProcess> {
  const [port] = await findFreePorts(1);
  const flags = ['--port', String(port), '--generate', generate, '--speed', '0'];
  const child = spawn(process.execPath, [vigilProgram(), 'simulator', ...flags], {
    env: { PATH: process.env.PATH, VIGIL_SIMULATOR_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  const authUrl = `http://127.0.0.1:${port}/identity/v3`;
  const end = Date.now() + startSeconds * 1000;
  while (!(await responses(authUrl))) {
    if (child.exitCode !== null || Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`the simulator did not start within ${startSeconds} s: ${output}`);
    }
    await pause(100);
  }
  async function control(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    const { ok, status } = await fetch(`http://127.0.0.1:${port}/simulator/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!ok) throw new Error(`the simulator returned ${status} for ${method} ${path}`);
  }

  const domain = { id: 'default' };
  return {
    config: {
      authUrl,
      credentials: { kind: 'password', user: { name: 'admin', domain }, password, project: { name: 'admin', domain } },
    },
    async whileUnderWay(read) {
      await control('POST', 'faults', { kind: 'migration-stall' });
      try {
        return await read();
      } finally {
        await control('DELETE', 'faults');
      }
    },
    async attach(server, attachment) {
      if (attachment === 'share') await control('POST', `servers/${server}/shares`);
      else await control('POST', `servers/${server}/ports`, { vnic_type: attachment.port });
      return async () => {};
    },
    letTimePass: () => control('POST', 'tick', { seconds: stepSeconds }),
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

async function responses(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}
