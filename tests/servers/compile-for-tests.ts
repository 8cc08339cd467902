import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { OperatorError } from '#libs/domain';
import { noteReused } from '../runner/note-reused.ts';
import { builtParts, type TestNeed } from '../runner/test-kinds.ts';

type BuiltPart = (typeof builtParts)[number];

/** Commands that make each part, with the command that a developer would run. */
const commands: Record<BuiltPart, { hint: string; steps: readonly (readonly string[])[] }> = {
  build: {
    hint: 'npm run build',
    steps: [['node_modules/@typescript/native/bin/tsc', '-p', '.'], ['scripts/copy-assets.mjs']],
  },
  dashboard: { hint: 'npm run build:dashboard', steps: [['scripts/build-dashboard.mjs']] },
  program: { hint: 'node scripts/bundle-program.mjs', steps: [['scripts/bundle-program.mjs']] },
};

async function runNode(args: readonly string[], hint: string): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new OperatorError(`the tests need compiled code, and "${hint}" failed:\n${output.trimEnd()}`);
  for (const [, name = ''] of output.matchAll(/^reused: (.+)$/gm)) noteReused(name);
}

/**
 * Compiles the needed parts of the product: worker threads and processes run compiled code. Costs about a second when
 * no source has changed. Parts that VIGIL_TEST_BUILT names (comma-separated) are up to date.
 * @returns variables for the tests: VIGIL_TEST_BUILT, and VIGIL_TEST_PROGRAM, the command as one bundle, which starts
 * in a third of the time.
 * @throws OperatorError with the errors of the compiler.
 */
export async function compileForTests(
  needs: ReadonlySet<TestNeed>,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  const needed = builtParts.filter((part) => needs.has(part));
  if (needed.length === 0) return {};
  const done = new Set(env.VIGIL_TEST_BUILT?.split(','));
  for (const part of new Set<BuiltPart>(['build', ...needed])) {
    if (done.has(part)) continue;
    for (const step of commands[part].steps) await runNode(step, commands[part].hint);
    done.add(part);
  }
  const variables: Record<string, string> = { VIGIL_TEST_BUILT: [...done].join(',') };
  if (done.has('program')) variables.VIGIL_TEST_PROGRAM = resolve('dist/bundle/vigil.js');
  return variables;
}
