import { OperatorError } from '#libs/domain';
import { configure } from './configure.ts';

/** Processes and tools by their word. Only the requested one is loaded. */
const processes: Record<string, () => Promise<{ run(args: string[]): Promise<number> }>> = {
  up: () => import('./up/main.ts'),
  down: () => import('./up/down.ts'),
  demo: () => import('./demo/main.ts'),
  db: () => import('./database/main.ts'),
  status: () => import('./status/main.ts'),
  metrics: () => import('./metrics/main.ts'),
  doctor: () => import('./doctor.ts'),
  catalogue: () => import('./decision-engine/catalogue-tool/main.ts'),
  world: loadWorldTool,
  policy: () => import('./api/policy-tool/main.ts'),
  config: () => import('./config/main.ts'),
  keystone: () => import('./keystone/main.ts'),
  watch: () => import('./watch/main.ts'),
  api: () => import('./api/main.ts'),
  'decision-engine': () => import('./decision-engine/main.ts'),
  applier: () => import('./applier/main.ts'),
  scheduler: () => import('./scheduler/main.ts'),
  coordinator: () => import('./coordinator/main.ts'),
  simulator: () => import('./simulator/main.ts'),
};

/** The tool for recordings plays them in the simulated cloud. */
async function loadWorldTool() {
  const { run } = await import('./decision-engine/world-tool/main.ts');
  const simulate = async (args: string[]) => (await import('./simulator/main.ts')).run(args);
  return { run: (args: string[]) => run(args, { simulate }) };
}

/** Exit code for an invalid configuration. */
const unusable = 78;

/**
 * The `vigil` command. A first word that names a process runs that process. Other words are verbs of the command-line
 * client.
 * @param configureWords removes the options that name files. Returns the other words.
 * @returns the exit code
 */
export async function runVigil(argv: readonly string[], configureWords = configure): Promise<number> {
  let words: string[];
  try {
    words = configureWords(argv);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`vigil: ${error.message}\n`);
    return unusable;
  }
  const [word = '', ...rest] = words;
  const load = processes[word];
  if (word === '--version' || word === '-V') {
    const { readBuildVersion } = await import('#libs/service-kit');
    process.stdout.write(`vigil ${readBuildVersion()}\n`);
    return 0;
  }
  if (load) {
    const { serveUsage } = await import('./process-usage.ts');
    return (await serveUsage(word, rest)) ?? (await load()).run(rest);
  }
  const { runClient } = await import('./run-client.ts');
  return runClient(words);
}
