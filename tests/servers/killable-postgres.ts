import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, OperatorError } from '#libs/domain';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { startGuardedPostgres } from './guarded-postgres.ts';
import { type KillableServer, signalProcess } from './killable-server.ts';

/** PostgreSQL that a test kills. It can also lose one of its backends, as to the kernel's out-of-memory killer. */
export interface KillablePostgres extends KillableServer {
  /** Sends SIGKILL to one backend. The server closes all other connections and recovers automatically. */
  killBackend(): void;
}

/** For many clients, and fully durable (`fsync` and related settings are on by default). */
const settings = { max_connections: '400' };
const restartLimitMs = 300_000;
const retryMs = 200;

/** Starts PostgreSQL 18 in its own folder, which is removed with it. */
export async function startKillablePostgres(logger: Logger): Promise<KillablePostgres> {
  const guarded = await startGuardedPostgres({ name: 'killable', settings, logger });
  let current: EmbeddedPostgres = guarded;

  /** Processes of the former server may hold its memory for a moment. */
  async function restart(): Promise<void> {
    const until = performance.now() + restartLimitMs;
    for (;;) {
      try {
        current = await startEmbeddedPostgres({ dataDir: guarded.dataDir, port: guarded.port, settings, logger });
        return;
      } catch (error) {
        if (!(error instanceof OperatorError) || performance.now() > until) throw error;
        await sleep(retryMs);
      }
    }
  }

  return {
    url: guarded.url,
    restart,
    async kill(signal) {
      signalProcess(current.pid, signal);
      await current.exited;
    },
    killBackend() {
      const backend = childrenOf(current.pid).find((pid) => commandOf(pid).includes(' 127.0.0.1('));
      if (backend !== undefined) signalProcess(backend, 'SIGKILL');
    },
    freeze() {
      for (const pid of [current.pid, ...childrenOf(current.pid)]) signalProcess(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of [current.pid, ...childrenOf(current.pid)]) signalProcess(pid, 'SIGCONT');
    },
    async stop() {
      await current.stop();
      await guarded.stop();
    },
  };
}

/** Processes whose parent is `pid`, by `/proc`. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

function parentOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`);
  // The preceding name is in parentheses and may contain blanks.
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? null : Number(parent);
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

/** Returns nothing for a process that ended in between. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
