/** First words of `vigil` that run a process instead of calling one, with their descriptions. */
export const processes: Readonly<Record<string, string>> = {
  up: 'Runs all processes, by default with an embedded database and a simulated cloud.',
  down: 'Stops a running vigil up, and removes its data with --purge.',
  demo: 'Demonstrates the whole cycle on a simulated cloud: load, audit, plan, execution.',
  api: 'Serves the REST API and the dashboard.',
  'decision-engine': 'Collects the model of the cloud and runs audits.',
  applier: 'Executes action plans.',
  scheduler: 'Runs background tasks on schedules and on request.',
  coordinator: 'Monitors all processes and reassigns the work of lost ones.',
  simulator: 'Simulates an OpenStack cloud.',
};

/** Tools that work without the API, with their subcommands. */
export const tools: Readonly<Record<string, readonly string[]>> = {
  db: ['upgrade', 'downgrade', 'version', 'backup', 'restore', 'restored', 'import', 'settle', 'purge', 'grants'],
  status: ['upgrade-check'],
  config: ['show', 'check', 'sample', 'import'],
  keystone: ['register', 'unregister'],
  catalogue: ['sync'],
  doctor: ['--json'],
  metrics: ['check'],
  policy: ['sample', 'list', 'check'],
  world: ['record', 'play', 'audit'],
  watch: ['api', 'engine', 'applier', 'scheduler', 'all'],
};

/** Modes of `vigil watch <target>`. */
export const watchModes: readonly string[] = ['wait', 'check', 'once'];
