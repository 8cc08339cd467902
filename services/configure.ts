import { filesOf, loadEnvironment, takeFileOptions, usualFiles } from '#libs/config-file';

/** Words that read the default configuration files. API clients only read named files. */
const readers = new Set([
  'up',
  'down',
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
  'catalogue',
  'world',
]);
/** Sections of words that have one. */
const sections: Readonly<Record<string, string>> = {
  api: 'api',
  'decision-engine': 'decision-engine',
  applier: 'applier',
  scheduler: 'scheduler',
  coordinator: 'coordinator',
  // Its plugins are those of the decision engine.
  catalogue: 'decision-engine',
  // It reads the cloud as the decision engine does.
  world: 'decision-engine',
};
const none = { files: [], folders: [] };

/**
 * Removes the configuration file options from the words of a command line, and sets the files' values in `process.env`,
 * for this process and its children.
 * @param usual default files when none are named.
 * @returns the other words
 * @throws ConfigurationError when a file is invalid
 */
export function configure(words: readonly string[], usual = usualFiles): string[] {
  const { files, folders, rest } = takeFileOptions(words);
  const [word = ''] = rest;
  const given = files.length + folders.length > 0 ? { files, folders } : null;
  const chosen = given ?? filesOf(process.env, readers.has(word) ? usual : none);
  const { environment } = loadEnvironment(process.env, chosen, sections[word] ?? null);
  for (const name of Object.keys(process.env)) {
    if (environment[name] === undefined) delete process.env[name];
  }
  Object.assign(
    process.env,
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
  );
  return rest;
}
