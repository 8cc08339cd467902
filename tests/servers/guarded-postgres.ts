import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '#libs/domain';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { createStateDir } from './server-user.ts';

/** A server for tests. `stop` also removes its folder. */
export interface GuardedPostgres extends EmbeddedPostgres {
  dataDir: string;
}

/** Options of a server for tests. */
export interface GuardedPostgresOptions {
  /** Part of the name of its folder. */
  name: string;
  settings: Record<string, string>;
  logger: Logger;
  /** Fills the new folder. Default: an empty cluster. */
  prepare?(dataDir: string): Promise<void>;
}

/**
 * Removes the server's folder when our end of the pipe closes, also because the test run was killed. The server's own
 * guard ends the server then, and its lock file is removed.
 */
const guardScript =
  'read -r _; n=0; while [ -e "$1/cluster/postmaster.pid" ] && [ $n -lt 60 ]; do n=$((n+1)); sleep 0.5; done; rm -rf "$1"';

/** Starts a PostgreSQL server in a separate folder, which is removed when this process ends, even if it is killed. */
export async function startGuardedPostgres(options: GuardedPostgresOptions): Promise<GuardedPostgres> {
  const { name, settings, logger, prepare } = options;
  const state = await createStateDir(name);
  const guard = spawn('sh', ['-c', guardScript, 'guard', state.dir], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.stdin.on('error', () => undefined);
  for (const handle of [guard, guard.stdin]) (handle as { unref?(): void }).unref?.();
  /** Removed by the guard, which needs a quarter of Node's time for a hundred thousand files. */
  async function clearUp(): Promise<void> {
    guard.ref();
    if (guard.exitCode === null && guard.signalCode === null) {
      const ended = once(guard, 'exit');
      guard.stdin.end();
      await ended;
    }
    await state.remove();
  }
  try {
    await prepare?.(state.dir);
    const server = await startEmbeddedPostgres({ dataDir: state.dir, settings, logger });
    // Tests make databases and roles.
    return { ...server, url: server.superuserUrl, dataDir: state.dir, stop: () => server.stop().finally(clearUp) };
  } catch (error) {
    await clearUp();
    throw error;
  }
}
