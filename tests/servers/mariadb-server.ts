import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { libraryPath, type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startGuardedProcess } from './guarded-process.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const clientFolder = 'vigil-clients';
const clients = ['mariadb', 'mariadb-dump'];
/** Contains characters that a URL must escape. */
const password = 'p@ss:w/rd';

export const mariadbPackages: PackageSet = {
  name: 'mariadb',
  packages: ['mariadb-server-core', 'mariadb-client'],
  relocate,
};

/** A client that finds its libraries in its folder. */
const clientScript = (name: string) => `#!/bin/sh
root="\${0%/*}/.."
export LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/aarch64-linux-gnu"
exec "$root/usr/bin/${name}" "$@"
`;

async function relocate(root: string): Promise<void> {
  await mkdir(join(root, clientFolder));
  for (const name of clients) {
    await writeFile(join(root, clientFolder, name), clientScript(name));
    await chmod(join(root, clientFolder, name), 0o755);
  }
}

/** System tables and one user. Needs no running server. */
async function bootstrapSql(root: string): Promise<string> {
  const tables = await readFile(join(root, 'usr/share/mysql/mysql_system_tables.sql'), 'utf8');
  const user = `INSERT INTO global_priv VALUES ('%', 'vigil', json_object('access', 18446744073709551615,
    'plugin', 'mysql_native_password', 'authentication_string', password('${password}')));\n`;
  return `CREATE DATABASE mysql;\nUSE mysql;\n${tables}\n${user}`;
}

async function greet(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(2000, () => socket.destroy(new Error('no greeting within 2 s')));
  try {
    const [greeting] = await once(socket, 'data');
    if (!String(greeting).includes('MariaDB')) throw new Error(`unexpected greeting ${String(greeting)}`);
  } finally {
    socket.destroy();
  }
}

/** MariaDB 10.11 of Debian 12. The user `vigil` has all rights. */
export async function startMariadb(context: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(context.cacheDir, mariadbPackages);
  const state = await createStateDir('mariadb');
  const [port] = (await findFreePorts(1)) as [number];
  const share = join(root, 'usr/share/mysql');
  await writeFile(join(state.dir, 'bootstrap.sql'), await bootstrapSql(root), { mode: 0o644 });
  const settings = {
    datadir: join(state.dir, 'data'),
    'lc-messages-dir': share,
    'character-sets-dir': join(share, 'charsets'),
    'innodb-buffer-pool-size': '8M',
    'innodb-log-file-size': '4M',
    'innodb-flush-log-at-trx-commit': '0',
    'innodb-use-native-aio': '0',
    'performance-schema': '0',
  };
  const options = ['--no-defaults', ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)];
  const listening = ['--bind-address=127.0.0.1', `--port=${port}`, '--skip-name-resolve'];
  const files = [`--socket=${join(state.dir, 'socket')}`, `--pid-file=${join(state.dir, 'pid')}`];
  const script = 'mkdir data && "$0" $1 --bootstrap < bootstrap.sql && exec "$0" $1 $2';
  const guarded = await startGuardedProcess({
    name: 'mariadb',
    command: 'sh',
    args: ['-c', script, join(root, 'usr/sbin/mariadbd'), options.join(' '), [...listening, ...files].join(' ')],
    stateDir: state.dir,
    env: { LD_LIBRARY_PATH: libraryPath(root) },
    startTimeoutMs: 60_000,
    probe: () => greet(port),
  }).catch(async (error) => {
    await state.remove();
    throw error;
  });
  return {
    url: `mysql://vigil:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    async stop() {
      await guarded.stop();
      await state.remove();
    },
  };
}

/** Debian's `mariadb`, with `mariadb-dump` in the same folder. `url` is the path of the program. */
export async function provideMariadbClient({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, mariadbPackages);
  return { url: join(root, clientFolder, 'mariadb'), stop: async () => undefined };
}
