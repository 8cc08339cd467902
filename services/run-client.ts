import type { WhatIf } from '#libs/client';
import { type JsonObject, OperatorError } from '#libs/domain';
import { describeStack, findRunningStack, onInterrupt, systemClock } from '#libs/service-kit';
import type { CliContext } from './cli/cli-context.ts';
import { InterruptedError, type InterruptSignal, UsageError } from './cli/errors.ts';
import { runCli } from './cli/main.ts';

/** Exit code after the reader of the output has closed it (128 and the number of SIGPIPE). */
const brokenPipe = 141;

/**
 * Runs one command of the client with its local environment: signals, and a local `vigil up`.
 * @returns the exit code, as `runCli`
 */
export async function runClient(argv: readonly string[]): Promise<number> {
  const ending = new AbortController();
  process.stdout.on('error', endWithReader);
  const giveBack = onInterrupt((signal) => ending.abort(new InterruptedError(signal as InterruptSignal)));
  try {
    const { signal } = ending;
    return await runCli(argv, { signal, findStack, worldWhatIf, assessPlugin: createAssessor(argv, signal) });
  } finally {
    giveBack();
  }
}

/** Address and login of a local `vigil up`, also reported in a line. Null when none runs. */
function findStack(report: (line: string) => void): Record<string, string> | null {
  const stack = findRunningStack(process.env);
  if (stack === null) return null;
  report(describeStack(stack));
  return { ...stack.env, ...stack.operatorEnv };
}

const worldWhatIf: CliContext['worldWhatIf'] = async (file, question, signal) => {
  const { computeWorldWhatIf } = await import('./decision-engine/world-tool/what-if/compute-world-what-if.ts');
  // Its schema is that of the API's response.
  return (await computeWorldWhatIf(file, question, { nowMs: systemClock.now(), signal })) as WhatIf;
};

/** Assesses plugins with their progress on standard error. */
function createAssessor(argv: readonly string[], signal: AbortSignal): NonNullable<CliContext['assessPlugin']> {
  return async (plugin, worlds, { parameters, ...settings }) => {
    const [{ assessStrategy }, { createProgress }] = await Promise.all([
      import('./decision-engine/assessment/assess-strategy.ts'),
      import('./decision-engine/world-tool/progress.ts'),
    ]);
    const progress = createProgress(process.stderr);
    const isQuiet = argv.includes('-q') || argv.includes('--quiet');
    try {
      return await assessStrategy(plugin, worlds, {
        ...{ ...settings, signal, parameters: (parameters ?? {}) as JsonObject },
        onProgress: isQuiet ? undefined : progress.show,
      });
    } catch (error) {
      throw error instanceof OperatorError ? new UsageError(error.message) : error;
    } finally {
      progress.end();
      endWithOutput();
    }
  };
}

/** Ends the process after its output, although a plugin keeps timers or connections open. */
function endWithOutput(): void {
  setTimeout(() => process.stdout.write('', () => process.exit()), handlesMs).unref();
}

/** Time after which open handles of a plugin no longer keep the process alive, in milliseconds. */
const handlesMs = 2000;

/** Ends silently when the reader closes the output, such as `head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(brokenPipe);
}
