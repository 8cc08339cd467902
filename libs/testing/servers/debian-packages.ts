import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';
import { type TestServerName, testServerVariables } from './test-server.ts';

const run = promisify(execFile);
const downloadTimeoutMs = 300_000;

export interface PackageSet {
  /** A test server, or a program that a test runs. */
  server: TestServerName | 'systemd';
  packages: readonly string[];
  /** Called once with the unpacked folder before it is put in place, to make it work from another root. */
  relocate?(root: string): Promise<void>;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function download(packages: readonly string[], folder: string): Promise<void> {
  const options = { cwd: folder, timeout: downloadTimeoutMs };
  try {
    await run('apt-get', ['download', ...packages], options);
  } catch {
    await run('apt-get', ['update'], options);
    await run('apt-get', ['download', ...packages], options);
  }
}

async function fill(folder: string, set: PackageSet): Promise<string> {
  const root = join(folder, 'root');
  const debs = join(folder, 'debs');
  await mkdir(root);
  await mkdir(debs);
  await chmod(folder, 0o755);
  await download(set.packages, debs);
  for (const deb of await readdir(debs))
    await run('dpkg', ['-x', join(debs, deb), root], { timeout: downloadTimeoutMs });
  await set.relocate?.(root);
  return root;
}

/**
 * Answers the folder that holds the unpacked Debian packages of a server, downloading them the first time. Nothing is
 * installed. Several processes may ask at once: each unpacks beside, the first to finish puts its folder in place.
 * @throws OperatorError saying what to do when the packages cannot be had.
 */
export async function unpackDebianPackages(cacheDir: string, set: PackageSet): Promise<string> {
  const key = createHash('sha256').update(set.packages.join(' ')).digest('hex').slice(0, 8);
  const target = join(cacheDir, `${set.server}-${process.arch}-${key}`);
  if (await exists(target)) return target;
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(join(cacheDir, `.${set.server}-`));
  try {
    const root = await fill(work, set);
    await rename(root, target).catch(async (error) => {
      if (!(await exists(target))) throw error;
    });
  } catch (error) {
    throw new OperatorError(
      `the test server ${set.server} comes from Debian packages (${set.packages.slice(0, 3).join(', ')} …) that could not be ` +
        `downloaded and unpacked with apt-get and dpkg. ${adviceFor(set.server)}` +
        `Reason: ${messageOf(error)}`,
      { cause: error },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

function adviceFor(server: PackageSet['server']): string {
  if (server === 'systemd') return '';
  return (
    `Run a server yourself and give its URL in ${testServerVariables[server]}, ` +
    'or name only the servers you can have in VIGIL_TEST_SERVERS. '
  );
}

/** Value of LD_LIBRARY_PATH for programs below `root`. */
export function libraryPath(root: string): string {
  return ['x86_64', 'aarch64'].map((machine) => join(root, `usr/lib/${machine}-linux-gnu`)).join(':');
}
