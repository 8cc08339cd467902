import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { OperatorError } from '#libs/domain';

/** Files of the pages: only these need the built dashboard. */
const needsDashboard = /\.(e2e|system)\.test\.ts$/;
/** Files that start the `vigil` command. */
const needsProgram = /\.(broker|clients|e2e|outages|simulator|system)\.test\.ts$/;

async function runNode(args: readonly string[], hint: string): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new OperatorError(`the tests need compiled code, and "${hint}" failed:\n${output.trimEnd()}`);
}

/**
 * Brings `dist` in step with the sources before tests run: worker threads and processes run compiled code. Costs about
 * a second when nothing has changed. `npm test` has done most of it already and says so in VIGIL_TEST_BUILT.
 * @returns variables for the tests: `VIGIL_TEST_PROGRAM`, the command as one bundle, which starts in a third of the
 * time.
 * @throws OperatorError with the errors of the compiler.
 */
export async function compileForTests(
  testFiles: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  if (env.VIGIL_TEST_BUILT === undefined) {
    await runNode(['node_modules/@typescript/native/bin/tsc', '-p', '.'], 'npm run build');
    await runNode(['scripts/copy-assets.mjs'], 'npm run build');
    if (testFiles.some((file) => needsDashboard.test(file)))
      await runNode(['scripts/build-dashboard.mjs'], 'npm run build:dashboard');
  }
  if (!testFiles.some((file) => needsProgram.test(file))) return {};
  const bundler = 'scripts/bundle-program.mjs';
  await runNode([bundler], `node ${bundler}`);
  return { VIGIL_TEST_PROGRAM: resolve('dist/bundle/vigil.js') };
}
