/** First words of `vigil` that run a process instead of talking to one, for help and completion. */
export const processes = [
  'up',
  'demo',
  'api',
  'decision-engine',
  'applier',
  'scheduler',
  'coordinator',
  'simulator',
] as const;

/** Tools that work without the API, with the words that may follow them. */
export const tools: Readonly<Record<string, readonly string[]>> = {
  db: ['upgrade', 'downgrade', 'version', 'backup', 'restore', 'restored', 'import', 'purge'],
  status: ['upgrade-check'],
  watch: ['api', 'engine', 'applier', 'scheduler', 'all'],
};

/** Modes of `vigil watch <target>`. */
export const watchModes: readonly string[] = ['wait', 'check', 'once'];
