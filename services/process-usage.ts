import { processes } from './cli/process-words.ts';

/** Processes that parse their own arguments. */
const withArguments = new Set(['demo', 'simulator']);

/** Output. Default: the terminal. */
export interface UsageOutput {
  out(text: string): void;
  err(text: string): void;
}

const terminal: UsageOutput = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/**
 * Handles `--help` and refuses arguments for a process without arguments.
 * @param word the process, such as `api`.
 * @returns the exit code (0 after help, 2 for wrong usage), or null when the process is to run.
 */
export function serveUsage(word: string, args: readonly string[], output: UsageOutput = terminal): number | null {
  const purpose = withArguments.has(word) ? undefined : processes[word];
  const [first] = args;
  if (purpose === undefined || first === undefined) return null;
  if (first === '--help' || first === '-h') {
    output.out(
      `Usage: vigil ${word}\n\n${purpose}\nOptions: --config-file <path>, --config-dir <folder>; the environment comes first. See docs/configuration.md.\n`,
    );
    return 0;
  }
  output.err(`vigil ${word}: unknown argument "${first}"; it takes none but --config-file and --config-dir\n`);
  return 2;
}
