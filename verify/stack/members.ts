import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { messageOf } from '#libs/domain';
import { freezeProcess } from '../../tests/servers/freeze-process.ts';
import { compiledProgram, startVigil, type VigilProcess } from '../../tests/system/index.ts';
import type { CodePatch } from './code-patch.ts';
import type { Diary } from './diary.ts';

/** A process that was killed or frozen. */
export interface Loss {
  /** Name of the member, which is the host of its process. */
  name: string;
  pid: number;
  how: 'killed' | 'frozen';
  atMs: number;
}

export type Role = 'api' | 'decision-engine' | 'applier' | 'coordinator' | 'scheduler';

/** Output of a process. */
export interface Printed {
  text: string;
  /** Milliseconds by which its clock was ahead. */
  clockOffsetMs: number;
}

/** End of a process. */
export interface MemberEnd {
  name: string;
  role: Role;
  pid: number;
  /** Null when a signal ended it. */
  exitCode: number | null;
  /** Whether the test killed it. */
  bySchedule: boolean;
  atMs: number;
  /** Its last lines of output. */
  lastLines: string[];
}

/** A process of the stack that is restarted whenever it ends. */
export interface Member {
  name: string;
  role: Role;
  /** Whether it has reported ready, and has not ended since. */
  isUp(): boolean;
  /** Process id. Null while it is down. */
  pid(): number | null;
  /** SIGKILL. Returns whether there was a process to kill. */
  kill(): boolean;
  /** SIGSTOP, and SIGCONT after `ms`. */
  freeze(ms: number): void;
  /** Output of each of its processes, oldest first. */
  outputs(): Printed[];
  /** Stops it finally. */
  stop(): Promise<void>;
}

interface MemberOptions {
  name: string;
  role: Member['role'];
  env: NodeJS.ProcessEnv;
  /** Pause before it is started again, in milliseconds. */
  restartMs(): number;
  /** Milliseconds by which the clock of the next process is ahead. */
  clockOffsetMs(): number;
  /** Protections to remove from its code. */
  patches: readonly CodePatch[];
  diary: Diary;
  onLoss(loss: Loss): void;
  /** Receives the reason of a failed start. */
  onTrouble(text: string): void;
  /** Called at each end of the process before `stop`. */
  onEnd?: ((end: MemberEnd) => void) | undefined;
  /** Receives all output of its processes. */
  onOutput?: ((chunk: string) => void) | undefined;
}

const stopLimitMs = 15_000;
/** Lines of output that the record of an end holds. */
const shownLines = 20;

/** Name in the diary for the outage from the end of a process until the next one reports ready. */
export const readinessOf = (name: string): string => `readiness of ${name}`;

/** Rejects when the first start fails. Later starts are retried. */
export async function startMember(options: MemberOptions): Promise<Member> {
  const { name, diary } = options;
  let clockOffsetMs = 0;
  let isEnding = false;
  let wasKilled = false;
  const printed: Printed[] = [];

  function start(): Promise<VigilProcess> {
    clockOffsetMs = options.clockOffsetMs();
    const env = { ...options.env, ...preloaded(clockOffsetMs, options.patches) };
    // Patches name compiled files.
    const program = options.patches.length > 0 ? compiledProgram : undefined;
    return startVigil([options.role], env, program, options.onOutput);
  }

  function lose(process: VigilProcess, how: Loss['how']): void {
    options.onLoss({ name, pid: process.pid, how, atMs: Date.now() });
  }

  /** Records its outage, and whether the schedule caused it. Returns a function that records its return. */
  function noteEnd(ended: VigilProcess | null, exitCode: number | null): () => void {
    const isBySchedule = wasKilled;
    wasKilled = false;
    if (ended && !isEnding) {
      const lastLines = ended.output().trimEnd().split('\n').slice(-shownLines);
      const { role } = options;
      options.onEnd?.({ name, role, pid: ended.pid, exitCode, bySchedule: isBySchedule, atMs: Date.now(), lastLines });
    }
    if (isBySchedule) return diary.away(name, 'is down');
    diary.note(`${name} has ended unexpectedly`);
    return () => undefined;
  }

  async function startAgain(): Promise<VigilProcess | null> {
    diary.note(`${name} is started`);
    try {
      return await start();
    } catch (error) {
      diary.note(`${name} could not start: ${reasonsOf(messageOf(error))}`);
      options.onTrouble(`${name}: ${messageOf(error).slice(-500)}`);
      return null;
    }
  }

  /** Waits for the end of the current process. Returns a function that records its return. */
  async function untilEnd(): Promise<() => void> {
    const ended = current;
    const exitCode = ended ? await ended.ended : null;
    const isBack = noteEnd(ended, exitCode);
    if (ended) printed.push({ text: ended.output(), clockOffsetMs });
    current = null;
    return isBack;
  }

  async function run(): Promise<void> {
    let isReady: (() => void) | null = null;
    while (!isEnding) {
      const isBack = await untilEnd();
      isReady ??= diary.away(readinessOf(name), 'is missing');
      if (isEnding) return;
      await sleep(options.restartMs());
      isBack();
      current = await startAgain();
      if (current) {
        isReady();
        isReady = null;
      }
      if (isEnding) await current?.kill();
    }
  }

  let current: VigilProcess | null = await start();
  const running = run();
  return {
    name,
    role: options.role,
    isUp: () => current !== null,
    pid: () => current?.pid ?? null,
    kill() {
      if (!current) return false;
      lose(current, 'killed');
      wasKilled = true;
      void current.kill();
      return true;
    },
    freeze(ms) {
      const frozen = current;
      if (!frozen) return;
      lose(frozen, 'frozen');
      const thaw = freezeProcess(frozen.pid);
      const isBack = diary.away(name, 'is frozen');
      void frozen.ended.then(isBack);
      setTimeout(() => {
        isBack();
        thaw();
      }, ms);
    },
    outputs: () => (current ? [...printed, { text: current.output(), clockOffsetMs }] : [...printed]),
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

/** Environment for `preload.ts`. A process with neither runs unchanged. */
function preloaded(clockOffsetMs: number, patches: readonly CodePatch[]): NodeJS.ProcessEnv {
  if (clockOffsetMs === 0 && patches.length === 0) return {};
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(resolve('dist/verify/stack/preload.js')).href}`,
    CHAOS_CLOCK_OFFSET_MS: String(clockOffsetMs),
    ...(patches.length > 0 ? { CHAOS_PATCHES: JSON.stringify(patches) } : {}),
  };
}

/** Messages of the errors in a process's log, causes included. */
function reasonsOf(output: string): string {
  const reasons = [...output.matchAll(/"message":"([^"]{1,200})"/g)].map(([, reason]) => reason);
  const [reported] = output.split('\n').filter((line) => line.startsWith('vigil ') && !line.includes(' ended with '));
  return [...new Set([...reasons.slice(-3), reported ?? ''])].join('; ');
}

/** Sends a signal, unless the process has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
