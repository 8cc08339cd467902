import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ConfigurationFiles, takeFileOptions } from '#libs/config-file';

/** Translation of a command of Watcher into words of `vigil`, or the reason why it has no counterpart. */
export type WatcherCommand = { words: string[]; isDebug: boolean } | { fault: string };

/** Default configuration files: Watcher's, overridden by ours. */
export const watcherFiles: ConfigurationFiles = {
  files: ['/etc/watcher/watcher.conf', '/etc/vigil/vigil.conf'],
  folders: ['/etc/watcher/watcher.conf.d', '/etc/vigil/vigil.conf.d'],
};

/**
 * Program that serves Watcher's API in the newer charts of OpenStack-Helm, with a separate file. Vigil's API listens
 * itself.
 */
const webServer = 'uwsgi';

/**
 * The policy file that Watcher's API loads implicitly: `policy.yaml` beside a named file, or in its default folder.
 * Rules that an operator tightened must not be lost in the migration.
 * @param words of the command line.
 * @returns null where there is none.
 */
export function watcherPolicy(words: readonly string[], usual = dirname(watcherFiles.files[0] ?? '')): string | null {
  const folders = [...takeFileOptions(words).files.map((file) => dirname(file)), usual];
  return folders.map((folder) => join(folder, 'policy.yaml')).find((path) => existsSync(path)) ?? null;
}

const processes: Readonly<Record<string, string>> = {
  'watcher-api': 'api',
  'watcher-applier': 'applier',
  'watcher-decision-engine': 'decision-engine',
};

/** Verbs of `watcher-db-manage`. Other verbs have no counterpart. */
const databaseVerbs: Readonly<Record<string, string>> = {
  upgrade: 'upgrade',
  create_schema: 'upgrade',
  version: 'version',
  purge: 'purge',
};

/** Options of oslo.log with and without a value. Logs go to standard error. */
const loggingWithValue =
  /^--(log-file|log-dir|log-config-append|log_file|log_dir|log-date-format|syslog-log-facility|default-log-levels)$/;
const logging =
  /^--(no)?(verbose|use-syslog|use-journal|use-json|watch-log-file|debug)$|^-v$|^--(log-file|log-dir|log-config-append)=/;

/**
 * The words of `vigil` for a command of Watcher, such as `watcher-applier --config-file /etc/watcher/watcher.conf`.
 * @param name the command, such as `watcher-db-manage`.
 */
export function watcherWords(name: string, argv: readonly string[]): WatcherCommand {
  if (name === webServer) return { words: ['api'], isDebug: false };
  const { words, isDebug } = withoutLogging(argv);
  if (words.includes('--version')) return { words: ['--version'], isDebug };
  const process = processes[name];
  if (process !== undefined) return { words: [process, ...words], isDebug };
  if (name === 'watcher-sync') return { words: ['catalogue', 'sync', ...words], isDebug };
  const at = positionOfVerb(words);
  const verb = words[at] ?? '';
  const others = words.filter((_, position) => position !== at);
  if (name === 'watcher-status') {
    const rest = others.filter((word) => word !== 'check');
    return verb === 'upgrade'
      ? { words: ['status', 'upgrade-check', ...rest], isDebug }
      : { fault: 'there is upgrade check' };
  }
  if (name !== 'watcher-db-manage')
    return { fault: `there is no command ${name}; link one of Watcher's names to this file` };
  const own = databaseVerbs[verb];
  if (own === undefined)
    return { fault: `there are ${Object.keys(databaseVerbs).join(', ')}; vigil db --help has more` };
  return { words: ['db', own, ...withoutRevision(own, others)], isDebug };
}

function withoutLogging(argv: readonly string[]): { words: string[]; isDebug: boolean } {
  const words: string[] = [];
  let isDebug = false;
  for (const [position, word] of argv.entries()) {
    if (word === '--debug' || (word === '-d' && position === 0)) isDebug = true;
    else if (!logging.test(word) && !loggingWithValue.test(word) && !loggingWithValue.test(argv[position - 1] ?? ''))
      words.push(word);
  }
  return { words, isDebug };
}

/** Position of the first word that is neither an option nor the value of one that names a file. */
function positionOfVerb(words: readonly string[]): number {
  return words.findIndex((word, at) => !word.startsWith('-') && !/^--config-(file|dir)$/.test(words[at - 1] ?? ''));
}

/** Processes of a release only work with the newest schema. */
function withoutRevision(verb: string, words: readonly string[]): string[] {
  if (verb !== 'upgrade') return [...words];
  return words.filter((word, at) => !/^(--revision(=.*)?|head)$/.test(word) && words[at - 1] !== '--revision');
}
