import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#libs/domain';
import { startVigil, type VigilProcess } from '#libs/testing/system';

/** When something happened to a process whose instance id is known. */
export interface Loss {
  instance: string;
  atMs: number;
}

/** A process of the stack that is started again whenever it ends. */
export interface Member {
  name: string;
  role: 'api' | 'decision-engine' | 'applier' | 'coordinator';
  /** SIGKILL. Answers whether there was a process to kill. */
  kill(): boolean;
  /** SIGSTOP, and SIGCONT after `ms`. */
  freeze(ms: number): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

interface MemberOptions {
  name: string;
  role: Member['role'];
  env: NodeJS.ProcessEnv;
  /** Pause before it is started again, in milliseconds. */
  restartMs(): number;
  onLoss(loss: Loss): void;
  /** Told why a start failed. */
  onTrouble(text: string): void;
}

const stopLimitMs = 15_000;

/** Rejects when the first start fails; later ones are tried again. */
export async function startMember(options: MemberOptions): Promise<Member> {
  let current: VigilProcess | null = await startVigil([options.role], options.env);
  let isEnding = false;

  function loseNow(): void {
    const [, instance] = /"instance":"([0-9a-f-]{36})"/.exec(current?.output() ?? '') ?? [];
    if (instance) options.onLoss({ instance, atMs: Date.now() });
  }

  async function run(): Promise<void> {
    while (!isEnding) {
      await current?.ended;
      current = null;
      if (isEnding) return;
      await sleep(options.restartMs());
      current = await startVigil([options.role], options.env).catch((error: unknown) => {
        options.onTrouble(`${options.name}: ${messageOf(error).slice(-500)}`);
        return null;
      });
      if (isEnding) await current?.kill();
    }
  }

  const running = run();
  return {
    name: options.name,
    role: options.role,
    kill() {
      if (!current) return false;
      loseNow();
      void current.kill();
      return true;
    },
    freeze(ms) {
      const frozen = current;
      if (!frozen) return;
      loseNow();
      signal(frozen.pid, 'SIGSTOP');
      setTimeout(() => signal(frozen.pid, 'SIGCONT'), ms);
    },
    async stop() {
      isEnding = true;
      const last = current;
      if (last) {
        signal(last.pid, 'SIGCONT');
        await Promise.race([last.stop(), sleep(stopLimitMs)]);
        await last.kill();
      }
      await Promise.race([running, sleep(stopLimitMs)]);
    },
  };
}

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
