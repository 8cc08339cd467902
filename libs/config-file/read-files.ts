import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, messageOf } from '#libs/domain';
import { type IniEntry, parseIni } from './parse-ini.ts';

/**
 * Files in the order in which they are read, later ones before earlier ones. Of a folder those that end with `.conf`,
 * by name.
 */
export interface ConfigurationFiles {
  files: readonly string[];
  folders: readonly string[];
}

/**
 * The assignments of all of them, in order.
 * @throws ConfigurationError with every line that is none, and every file that cannot be read
 */
export function readFiles({ files, folders }: ConfigurationFiles): IniEntry[] {
  const faults: string[] = [];
  const paths = [...files, ...folders.flatMap((folder) => attempt(() => filesOf(folder), faults, folder) ?? [])];
  const entries = paths.flatMap((path) => {
    const text = attempt(() => readFileSync(path, 'utf8'), faults, path);
    if (text === undefined) return [];
    const read = parseIni(text, path);
    faults.push(...read.faults);
    return read.entries;
  });
  if (faults.length > 0) throw new ConfigurationError(faults);
  return entries;
}

/** The paths of all of them, in order. A folder that cannot be read counts as itself. */
export function pathsOf({ files, folders }: ConfigurationFiles): string[] {
  return [...files, ...folders.flatMap((folder) => attempt(() => filesOf(folder), [], folder) ?? [folder])];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.conf'))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function attempt<Value>(read: () => Value, faults: string[], path: string): Value | undefined {
  try {
    return read();
  } catch (error) {
    faults.push(`${path} cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}
