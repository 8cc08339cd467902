import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '#libs/domain';
import type { KillableServer } from '../../tests/servers/killable-server.ts';
import type { ChaosStack } from './stack.ts';

/** A disturbance of a server process, not of the connections to it. */
interface ServerTrouble {
  target: 'postgres' | 'rabbitmq';
  name: string;
  /** Probability with each kill of a process. */
  chance: number;
  run(stack: ChaosStack, random: RandomSource): Promise<unknown>;
}

const frozenMs = { least: 1000, more: 5000 };
const alarmMs = { least: 2000, more: 10_000 };
const downMs = 1000;

const lasting = (ms: { least: number; more: number }, random: RandomSource) => sleep(ms.least + random() * ms.more);

function serverOf({ servers }: ChaosStack, target: ServerTrouble['target']): KillableServer {
  const server = servers[target];
  if (server === null) throw new Error(`there is no ${target}`);
  return server;
}

/** Kills the server and starts it again with the same port and data. */
const killed = (target: ServerTrouble['target'], signal: 'SIGKILL' | 'SIGQUIT') => async (stack: ChaosStack) => {
  const server = serverOf(stack, target);
  await server.kill(signal);
  await sleep(downMs);
  await server.restart();
};

const frozen = (target: ServerTrouble['target']) => async (stack: ChaosStack, random: RandomSource) => {
  const server = serverOf(stack, target);
  server.freeze();
  await lasting(frozenMs, random);
  server.thaw();
};

const troubles: readonly ServerTrouble[] = [
  { target: 'postgres', name: 'is killed', chance: 0.02, run: killed('postgres', 'SIGKILL') },
  { target: 'postgres', name: 'is shut down at once (SIGQUIT)', chance: 0.02, run: killed('postgres', 'SIGQUIT') },
  {
    ...{ target: 'postgres', name: 'loses a backend', chance: 0.02 },
    run: async (stack) => stack.servers.postgres.killBackend(),
  },
  { target: 'postgres', name: 'is frozen', chance: 0.02, run: frozen('postgres') },
  { target: 'rabbitmq', name: 'is killed', chance: 0.015, run: killed('rabbitmq', 'SIGKILL') },
  { target: 'rabbitmq', name: 'is shut down at once (SIGQUIT)', chance: 0.01, run: killed('rabbitmq', 'SIGQUIT') },
  { target: 'rabbitmq', name: 'is frozen', chance: 0.02, run: frozen('rabbitmq') },
  {
    ...{ target: 'rabbitmq', name: 'has an alarm', chance: 0.03 },
    async run({ servers: { rabbitmq } }, random) {
      await rabbitmq?.setMemoryAlarm(true);
      await lasting(alarmMs, random);
      await rabbitmq?.setMemoryAlarm(false);
    },
  },
];

/** Draws the disturbances of the servers. */
export interface ServerTroubles {
  /** Call with each kill. A server never has two disturbances at a time. */
  draw(): void;
  /** Number of disturbances so far. */
  count(): number;
  /** @throws Error when a server did not return. No later result is valid then. */
  check(): void;
  /** Resolves when all disturbances are over. @throws Error when a server did not return. */
  over(): Promise<void>;
}

export function createServerTroubles(stack: ChaosStack, random: RandomSource): ServerTroubles {
  const busy = new Set<string>();
  const pending: Promise<void>[] = [];
  let failure: { error: unknown } | undefined;

  async function run(trouble: ServerTrouble): Promise<void> {
    const { target, name } = trouble;
    busy.add(target);
    const isBack = stack.diary.away(target, name);
    await trouble.run(stack, random);
    isBack();
    busy.delete(target);
  }

  return {
    draw() {
      for (const trouble of troubles) {
        if (random() >= trouble.chance || busy.has(trouble.target)) continue;
        const running = run(trouble);
        running.catch((error: unknown) => {
          failure ??= { error };
        });
        pending.push(running);
      }
    },
    count: () => pending.length,
    check() {
      if (failure) throw failure.error;
    },
    async over() {
      await Promise.allSettled(pending);
      if (failure) throw failure.error;
    },
  };
}
