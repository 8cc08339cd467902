import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';
import { libraryPath } from '../servers/debian-packages.ts';

const run = promisify(execFile);
const clients = ['python3-openstackclient', 'python3-watcherclient'];
const interpreter = '/usr/bin/python3';
const downloadTimeoutMs = 300_000;

/** A Python in which `import openstackclient, watcherclient` works. */
export interface PythonClients {
  python: string;
  /** What the process needs in its environment to find them. */
  env: NodeJS.ProcessEnv;
}

async function works({ python, env }: PythonClients): Promise<boolean> {
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 };
  return run(python, ['-c', 'import openstackclient, watcherclient'], options).then(
    () => true,
    () => false,
  );
}

/** File names of the packages that this machine lacks; asks for newer package lists when the first attempt fails. */
async function download(folder: string): Promise<void> {
  const options = { cwd: folder, timeout: downloadTimeoutMs, maxBuffer: 2 ** 24 };
  const missing = async () => {
    const { stdout } = await run('apt-get', ['install', '-qq', '--no-install-recommends', '--print-uris', ...clients]);
    return [...stdout.matchAll(/^'[^']*' (\S+?)_/gm)].map(([, name]) => name ?? '');
  };
  try {
    await run('apt-get', ['download', ...(await missing())], options);
  } catch {
    await run('apt-get', ['update'], options);
    await run('apt-get', ['download', ...(await missing())], options);
  }
}

async function unpack(target: string): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  const work = await mkdtemp(`${target}-`);
  try {
    await download(work);
    for (const deb of (await readdir(work)).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', join(work, deb), join(work, 'root')], { timeout: downloadTimeoutMs });
    }
    await rename(join(work, 'root'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Debian's clients, unchanged: those that are installed, else unpacked with what they need into `.vigil/test-clients`,
 * where they stay for the next run. Nothing is installed.
 * @throws OperatorError saying what to do when they can not be had.
 */
export async function findPythonClients(): Promise<PythonClients> {
  const installed = { python: interpreter, env: {} };
  if (await works(installed)) return installed;
  const root = resolve('.vigil', 'test-clients', process.arch);
  const unpacked = {
    python: interpreter,
    env: { PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'), LD_LIBRARY_PATH: libraryPath(root) },
  };
  try {
    await access(root).catch(() => unpack(root));
    if (await works(unpacked)) return unpacked;
    throw new Error(`${interpreter} can not import them from ${root}`);
  } catch (error) {
    throw new OperatorError(
      `the tests with the real clients need Debian's ${clients.join(' and ')}: install them with ` +
        `\`apt-get install ${clients.join(' ')}\`. Reason: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
