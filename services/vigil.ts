#!/usr/bin/env node

/**
 * The `vigil` command. A first word that names a process runs that process here; everything else is a verb of the
 * command-line client. Only what is asked for is loaded.
 */
const processes: Record<string, () => Promise<{ run(args: string[]): Promise<number> }>> = {
  up: () => import('./supervisor/main.ts'),
  demo: () => import('./demo/main.ts'),
  db: () => import('./database/main.ts'),
  status: () => import('./status/main.ts'),
  policy: () => import('./api/policy-tool/main.ts'),
  watch: () => import('./watch/main.ts'),
  api: () => import('./api/main.ts'),
  'decision-engine': () => import('./decision-engine/main.ts'),
  applier: () => import('./applier/main.ts'),
  scheduler: () => import('./scheduler/main.ts'),
  coordinator: () => import('./coordinator/main.ts'),
  simulator: () => import('./simulator/main.ts'),
};

const [word = '', ...rest] = process.argv.slice(2);
const load = processes[word];
if (word === '--version' || word === '-V') {
  const { readBuildVersion } = await import('#libs/service-kit');
  process.stdout.write(`vigil ${readBuildVersion()}\n`);
} else if (load) {
  const { answerUsage } = await import('./process-usage.ts');
  const answered = answerUsage(word, rest);
  process.exitCode = answered ?? (await (await load()).run(rest));
} else {
  const { runClient } = await import('./run-client.ts');
  process.exitCode = await runClient(process.argv.slice(2));
}
