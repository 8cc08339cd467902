import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGuardedProcess, type GuardedProcess, startGuardedProcess } from './guarded-process.ts';
import { type KillableServer, signalProcess } from './killable-server.ts';
import { prepareRabbitmq } from './rabbitmq-server.ts';
import { serverUser } from './server-user.ts';
import type { TestServerContext } from './test-server.ts';

const run = promisify(execFile);
const callLimitMs = 20_000;
const alarmEveryMs = 100;
/** Shares of the machine's memory at which publishers are blocked. The second is RabbitMQ's default. */
const [noMemory, enoughMemory] = [0.0001, 0.4];

/** RabbitMQ that a test kills. It can also raise its memory alarm. */
export interface KillableRabbitmq extends KillableServer {
  /** While the alarm is on, connections that publish are blocked. A restart ends it. */
  setMemoryAlarm(isOn: boolean): Promise<void>;
  /**
   * Writes the declared queues to the disk. Without it, a kill shortly after the declaration loses a queue and its
   * messages.
   */
  keepQueues(): Promise<void>;
  /** Removes the only member of a quorum queue. The queue stays listed, but reads and writes fail. */
  loseMembers(queue: string): Promise<void>;
}

/** Starts RabbitMQ 3.10 with its data in a separate folder, which is removed with it. */
export async function startKillableRabbitmq(context: TestServerContext): Promise<KillableRabbitmq> {
  const node = await prepareRabbitmq(context);
  // With `detached`, the server's script becomes the server instead of waiting for it.
  const server = createGuardedProcess({ ...node.server, env: { ...node.env, detached: 'true' } });
  let epmd: GuardedProcess | undefined;
  async function stop(): Promise<void> {
    await server.stop();
    await epmd?.stop();
    await node.state.remove();
  }
  try {
    epmd = await startGuardedProcess(node.epmd);
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  async function call(text: string): Promise<string> {
    const options = { cwd: node.state.dir, env: node.env, timeout: callLimitMs, ...serverUser() };
    return (await run(join(node.erlang, 'bin', 'erl_call'), ['-n', node.name, '-a', text], options)).stdout;
  }
  return {
    url: node.url,
    async loseMembers(queue) {
      await call(`ra force_delete_server [quorum_queues,{'%2F_${queue}','${node.name}'}]`);
    },
    async keepQueues() {
      await call('mnesia sync_log []');
    },
    stop,
    kill: server.kill,
    restart: server.start,
    freeze: () => signalProcess(server.pid(), 'SIGSTOP'),
    thaw: () => signalProcess(server.pid(), 'SIGCONT'),
    async setMemoryAlarm(isOn) {
      await call(`vm_memory_monitor set_vm_memory_high_watermark [${isOn ? noMemory : enoughMemory}]`);
      while ((await call('rabbit_alarm get_alarms')).includes('memory') !== isOn) await sleep(alarmEveryMs);
    },
  };
}
