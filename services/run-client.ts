import type { WhatIf } from '#libs/client';
import { describeStack, findRunningStack, onInterrupt, systemClock } from '#libs/service-kit';
import type { CliContext } from './cli/cli-context.ts';
import { InterruptedError, type InterruptSignal } from './cli/errors.ts';
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
    return await runCli(argv, { signal: ending.signal, findStack, worldWhatIf });
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

/** Ends silently when the reader closes the output, such as `head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(brokenPipe);
}
