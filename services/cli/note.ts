import type { CliContext } from './cli-context.ts';

/** Prints progress and hints on standard error, unless the command runs with `--quiet`. */
export function note({ err, verbosity }: Pick<CliContext, 'err' | 'verbosity'>, text: string): void {
  if (verbosity.level !== 'quiet') err(text);
}
