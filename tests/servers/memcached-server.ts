import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { libraryPath, type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startGuardedProcess } from './guarded-process.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

export const memcachedPackages: PackageSet = { name: 'memcached', packages: ['memcached'] };

async function queryVersion(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(2000, () => socket.destroy(new Error('no response within 2 s')));
  try {
    await once(socket, 'connect');
    socket.write('version\r\n');
    const [response] = await once(socket, 'data');
    if (!String(response).startsWith('VERSION')) throw new Error(`unexpected answer ${String(response).trim()}`);
  } finally {
    socket.destroy();
  }
}

/** memcached 1.6 of Debian 12 with 16 MB. */
export async function startMemcached(context: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(context.cacheDir, memcachedPackages);
  const state = await createStateDir('memcached');
  const [port] = (await findFreePorts(1)) as [number];
  const guarded = await startGuardedProcess({
    name: 'memcached',
    command: join(root, 'usr/bin/memcached'),
    args: ['-l', '127.0.0.1', '-p', String(port), '-U', '0', '-m', '16'],
    stateDir: state.dir,
    env: { LD_LIBRARY_PATH: libraryPath(root) },
    startTimeoutMs: 20_000,
    probe: () => queryVersion(port),
  }).catch(async (error) => {
    await state.remove();
    throw error;
  });
  return {
    url: `memcached://127.0.0.1:${port}`,
    async stop() {
      await guarded.stop();
      await state.remove();
    },
  };
}
