import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';
import { libraryPath, type PackageSet, unpackDebianPackages } from '../servers/debian-packages.ts';
import { findCacheDir } from '../servers/start-test-servers.ts';

const run = promisify(execFile);
const checkTimeoutMs = 60_000;
const packageSet: PackageSet = {
  name: 'python-clients',
  packages: ['python3', 'python3-openstackclient', 'python3-watcherclient'],
};

/** A Python in which `import openstackclient, watcherclient` works. */
export interface PythonClients {
  python: string;
  /** Environment that the process needs to find them. */
  env: NodeJS.ProcessEnv;
}

/**
 * Debian's unchanged clients with their own Python, unpacked beside the test servers, where they stay for the next run.
 * Nothing is installed.
 * @throws OperatorError with the remedy when they cannot be fetched
 */
export async function findPythonClients(): Promise<PythonClients> {
  const root = await unpackDebianPackages(await findCacheDir(), packageSet);
  const python = join(root, 'usr/bin/python3');
  const env = {
    PYTHONHOME: join(root, 'usr'),
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    PYTHONNOUSERSITE: '1',
    LD_LIBRARY_PATH: libraryPath(root),
  };
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: checkTimeoutMs };
  try {
    await run(python, ['-c', 'import openstackclient, watcherclient'], options);
  } catch (error) {
    throw new OperatorError(`${python} cannot import Debian's clients. Reason: ${messageOf(error)}`, { cause: error });
  }
  return { python, env };
}
