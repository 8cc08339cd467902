import { stat } from 'node:fs/promises';
import { type ConfigurationFiles, pathsOf } from '#libs/config-file';
import { messageOf } from '#libs/domain';

/**
 * Returns a text that changes when the file has changed or was replaced.
 * @throws the errors of `stat`
 */
export async function fileVersion(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${size} ${ino}`;
}

/** The same for all of `files`. The version of an unreadable file is its error. */
export async function filesVersion(files: ConfigurationFiles): Promise<string> {
  const versions = pathsOf(files).map(async (path) => `${path} ${await fileVersion(path).catch(messageOf)}`);
  return (await Promise.all(versions)).join('\n');
}
