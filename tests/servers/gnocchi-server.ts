import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePorts } from '#libs/service-kit/embedded';
import { libraryPath, type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startGuardedProcess } from './guarded-process.ts';
import { startPostgres } from './postgres-server.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

const run = promisify(execFile);

/** With its own Python, so that the machine's does not matter. */
export const gnocchiPackages: PackageSet = {
  name: 'gnocchi',
  packages: ['python3', 'python3-gnocchi', 'python3-psycopg2'],
  relocate: compilePython,
};

/** Serves the API in one process; Debian's own start needs uWSGI. */
const serveScript = `
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from gnocchi.cli import api
from gnocchi.rest import app
class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64
class Handler(WSGIRequestHandler):
    def log_message(self, *args):
        pass
port = int(sys.argv.pop())
make_server('127.0.0.1', port, app.load_app(api.prepare_service()), Server, Handler).serve_forever()
`;
const upgradeScript = 'from gnocchi.cli.manage import upgrade; upgrade()';

/** Without this every start would compile a thousand files. */
async function compilePython(root: string): Promise<void> {
  const versions = (await readdir(join(root, 'usr/lib'))).filter((name) => name.startsWith('python3'));
  const folders = versions.map((name) => join(root, 'usr/lib', name));
  const args = ['-m', 'compileall', '-q', '-x', '/tests?/', ...folders];
  await run(join(root, 'usr/bin/python3'), args, { env: pythonEnv(root, root), timeout: 300_000 });
}

function pythonEnv(root: string, home: string): Record<string, string> {
  const paths = libraryPath(root).split(':');
  return {
    PATH: '/usr/bin:/bin',
    HOME: home,
    PYTHONHOME: join(root, 'usr'),
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    PYTHONNOUSERSITE: '1',
    PYTHONWARNINGS: 'ignore',
    OPENBLAS_NUM_THREADS: '1',
    LD_LIBRARY_PATH: paths.flatMap((path) => [path, join(path, 'blas'), join(path, 'lapack')]).join(':'),
  };
}

function configuration(dir: string, rest: string, databaseUrl: string): string {
  return `
[DEFAULT]
coordination_url = file://${join(dir, 'coordination')}
parallel_operations = 1
[api]
auth_mode = basic
paste_config = ${join(rest, 'api-paste.ini')}
[oslo_policy]
policy_file = ${join(rest, 'policy.yaml')}
[indexer]
url = ${databaseUrl.replace(/^postgres:/, 'postgresql:')}
[storage]
driver = file
file_basepath = ${dir}
[incoming]
driver = file
`;
}

/**
 * Gnocchi 4.4 of Debian 12 with basic authentication (user `admin`, no password) and its own PostgreSQL. There is
 * no metricd: measures are worked up when a request says `refresh=true`. Starts in about 6 s.
 */
export async function startGnocchi(context: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(context.cacheDir, gnocchiPackages);
  const postgres = await startPostgres(context);
  const state = await createStateDir('gnocchi');
  async function stop(): Promise<void> {
    await state.remove();
    await postgres.stop();
  }
  try {
    const [port] = (await findFreePorts(1)) as [number];
    const configFile = join(state.dir, 'gnocchi.conf');
    const rest = join(root, 'usr/lib/python3/dist-packages/gnocchi/rest');
    await writeFile(configFile, configuration(state.dir, rest, postgres.url), { mode: 0o644 });
    const python = join(root, 'usr/bin/python3');
    const guarded = await startGuardedProcess({
      name: 'gnocchi',
      command: 'sh',
      args: [
        ...[
          '-c',
          'mkdir coordination && "$1" -c "$2" --config-file "$4" && exec "$1" -c "$3" --config-file "$4" "$5"',
          'gnocchi',
        ],
        ...[python, upgradeScript, serveScript, configFile, String(port)],
      ],
      stateDir: state.dir,
      env: pythonEnv(root, state.dir),
      startTimeoutMs: 90_000,
      async probe() {
        const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) });
        if (!response.ok) throw new Error(`/ answers ${response.status}`);
      },
    });
    return {
      url: `http://admin@127.0.0.1:${port}`,
      async stop() {
        await guarded.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
