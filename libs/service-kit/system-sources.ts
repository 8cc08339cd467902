import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, type IdSource, OperatorError } from '#libs/domain';

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Milliseconds since the process started, independent of changes of the machine's clock. For limits within the
 * process.
 */
export const steadyClock: Clock = { now: () => performance.now() };

/** Version 4 uuids. */
export const newUuid: IdSource = () => randomUUID();

/**
 * The version of this build, from Vigil's package, such as `1.4.0`.
 * @throws OperatorError when the package file is missing or has no version.
 */
export function readBuildVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new OperatorError('the installation is broken: package.json is missing');
    folder = parent;
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
  if (typeof version !== 'string') throw new OperatorError(`${folder}/package.json has no version`);
  return version;
}
