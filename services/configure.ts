import { filesOf, loadEnvironment, takeFileOptions, usualFiles } from '#libs/config-file';

/** Words that read the usual files without being asked to. What talks to the API only reads files that are named. */
const readers = new Set([
  'up',
  'api',
  'decision-engine',
  'applier',
  'scheduler',
  'coordinator',
  'db',
  'status',
  'watch',
  'config',
  'metrics',
  'doctor',
]);
/** Words that have their own section. */
const processes = new Set(['api', 'decision-engine', 'applier', 'scheduler', 'coordinator']);
const none = { files: [], folders: [] };

/**
 * Takes the options that name configuration files out of the words of a command line, and puts what the files say into
 * `process.env`, for this process and its children.
 * @param usual where files are searched for when none are named.
 * @returns the other words
 * @throws ConfigurationError when a file cannot be used
 */
export function configure(words: readonly string[], usual = usualFiles): string[] {
  const { files, folders, rest } = takeFileOptions(words);
  const [word = ''] = rest;
  const given = files.length + folders.length > 0 ? { files, folders } : null;
  const chosen = given ?? filesOf(process.env, readers.has(word) ? usual : none);
  const { environment } = loadEnvironment(process.env, chosen, processes.has(word) ? word : null);
  for (const name of Object.keys(process.env)) {
    if (environment[name] === undefined) delete process.env[name];
  }
  Object.assign(
    process.env,
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
  );
  return rest;
}
