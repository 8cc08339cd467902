import { existsSync } from 'node:fs';
import { ConfigurationError } from '#libs/domain';
import { type FileVariable, variablesOf } from './layers.ts';
import type { IniEntry } from './parse-ini.ts';
import { type ConfigurationFiles, readFiles } from './read-files.ts';

/** Names the files for a process and its children. Folders and files, separated by colons. */
const filesKey = 'VIGIL_CONFIG_FILE';
const foldersKey = 'VIGIL_CONFIG_DIR';
/** Names of the variables from files, for a reload. */
const appliedKey = 'VIGIL_CONFIG_KEYS';

type Environment = Readonly<Record<string, string | undefined>>;

/** Words of a command line without the options that name files. */
export interface FileOptions extends ConfigurationFiles {
  rest: string[];
}

/**
 * Takes `--config-file <path>` and `--config-dir <path>` (repeatable, also with `=`) out of a command line.
 * @throws ConfigurationError when a path is missing
 */
export function takeFileOptions(words: readonly string[]): FileOptions {
  const found: { files: string[]; folders: string[]; rest: string[] } = { files: [], folders: [], rest: [] };
  const remaining = [...words];
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    const [, option, given] = /^--config-(file|dir)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) {
      found.rest.push(word);
      continue;
    }
    const path = given ?? remaining.shift();
    if (!path) throw new ConfigurationError([`${word} needs a path`]);
    (option === 'file' ? found.files : found.folders).push(path);
  }
  return found;
}

/**
 * Options of Watcher that the environment sets as oslo.config reads it, such as `OS_DATABASE__CONNECTION` for
 * `connection` of `[database]`. They count before those of files.
 */
export function watcherVariables(environment: Environment): IniEntry[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const [, group, option] = /^OS_([A-Z0-9]\w*?)__([A-Z0-9]\w*)$/.exec(name) ?? [];
    if (group === undefined || option === undefined || value === undefined) return [];
    const section = group === 'DEFAULT' ? group : group.toLowerCase();
    return [{ section, key: option.toLowerCase(), value, file: name, line: 0 }];
  });
}

/** The files of an environment, or those at the usual places as far as they are there. */
export function filesOf(environment: Environment, usual: ConfigurationFiles): ConfigurationFiles {
  const { [filesKey]: files, [foldersKey]: folders } = environment;
  if (files || folders) return { files: splitPaths(files), folders: splitPaths(folders) };
  const exists = (path: string) => existsSync(path);
  return { files: usual.files.filter(exists), folders: usual.folders.filter(exists) };
}

/** Where files are searched for when none are named. */
export const usualFiles: ConfigurationFiles = {
  files: ['/etc/vigil/vigil.conf'],
  folders: ['/etc/vigil/vigil.conf.d'],
};

/** An environment merged with files, and the origin of each variable from a file. */
export interface LoadedEnvironment {
  environment: Record<string, string | undefined>;
  variables: Map<string, FileVariable>;
}

/**
 * The environment of a process: its own variables, and the values of `files` for the others. Values of an earlier load
 * are read anew. The names of the files are in it for the children of the process.
 * @param process such as `api`, whose section comes first. Null for tools.
 * @throws ConfigurationError
 */
export function loadEnvironment(
  environment: Environment,
  files: ConfigurationFiles,
  process: string | null,
): LoadedEnvironment {
  const stale = new Set((environment[appliedKey] ?? '').split(','));
  const own = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name !== appliedKey && !stale.has(name)),
  );
  const named = watcherVariables(own);
  const isAnyFile = files.files.length + files.folders.length > 0;
  if (!isAnyFile && named.length === 0) return { environment: own, variables: new Map() };
  const variables = new Map(
    [...variablesOf([...readFiles(files), ...named], process)].filter(([name]) => !own[name] && !own[`${name}_FILE`]),
  );
  const values = Object.fromEntries([...variables].map(([name, { value }]) => [name, value]));
  const places = {
    [filesKey]: files.files.join(':') || undefined,
    [foldersKey]: files.folders.join(':') || undefined,
    [appliedKey]: Object.keys(values).join(','),
  };
  return { environment: { ...own, ...values, ...places }, variables };
}

/** As `loadEnvironment` again, for a process that reloads its files. Null without files. */
export function reloadEnvironment(environment: Environment, process: string | null): LoadedEnvironment | null {
  const files = filesOf(environment, { files: [], folders: [] });
  return files.files.length + files.folders.length === 0 ? null : loadEnvironment(environment, files, process);
}

/** The environment of a child. Variables that its parent sets in `changes` are not taken from files again. */
export function withOwnVariables(environment: Environment, changes: Environment): Record<string, string | undefined> {
  const applied = environment[appliedKey];
  if (applied === undefined) return { ...environment, ...changes };
  const kept = applied.split(',').filter((name) => changes[name] === undefined || changes[name] === environment[name]);
  return { ...environment, ...changes, [appliedKey]: kept.join(',') };
}

function splitPaths(text: string | undefined): string[] {
  return (text ?? '').split(':').filter((path) => path !== '');
}
