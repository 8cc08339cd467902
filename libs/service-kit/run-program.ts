import { reportFatal } from './run-service.ts';

/**
 * A command line program, as commander creates it, with `exitOverride`. This library does not import commander, which
 * not every process needs.
 */
interface Program {
  parseAsync(args: readonly string[], options: { from: 'user' }): Promise<unknown>;
}

/** Exit code of wrong usage. */
const misused = 2;

/**
 * Runs a command of `vigil` and prints the reason of its failure. Returns the exit code.
 * @param name of the command, such as `db`.
 * @param exitCode of a completed run. Default 0.
 * @param asOperatorError converts an error of the command to an OperatorError.
 */
export async function runProgram(
  name: string,
  program: Program,
  args: readonly string[],
  { exitCode = () => 0, asOperatorError = (error) => error }: RunOptions = {},
): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode();
  } catch (error) {
    // Commander has printed it already. Help and version end with 0.
    if (isOfCommander(error)) return error.exitCode === 0 ? 0 : misused;
    return reportFatal(name, asOperatorError(error));
  }
}

interface RunOptions {
  exitCode?: () => number;
  asOperatorError?: (error: unknown) => unknown;
}

function isOfCommander(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && 'exitCode' in error && 'code' in error && /^commander\./.test(String(error.code));
}
