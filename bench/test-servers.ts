import { silentLogger } from '#libs/domain';
import { serversToStart } from '../tests/servers/servers-to-start.ts';
import { startTestServers } from '../tests/servers/start-test-servers.ts';
import type { TestServerName } from '../tests/servers/test-server.ts';

/**
 * Runs `work` with the named servers. Uses those whose URL is in the environment (such as VIGIL_TEST_POSTGRES_URL), and
 * starts and stops the others.
 */
export async function withTestServers(names: readonly TestServerName[], work: () => Promise<void>): Promise<void> {
  const servers = await startTestServers(serversToStart(names, process.env), silentLogger);
  Object.assign(process.env, servers.variables);
  try {
    await work();
  } finally {
    await servers.stop();
  }
}
