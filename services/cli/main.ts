import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { VigilApiError } from '#libs/client';
import { printable } from '#libs/domain';
import type { CliContext, GlobalOptions, Verbosity } from './cli-context.ts';
import { connect } from './connect.ts';
import { createProgram } from './create-program.ts';
import { InterruptedError, PartialOutcomeError, UsageError, VerdictError } from './errors.ts';
import { terminalWidth } from './output/terminal-width.ts';

const exitCodes = {
  ...{ done: 0, failed: 1, usage: 2, unreachable: 3, partial: 4, SIGINT: 130, SIGTERM: 143 },
  /** Verdicts of what-if questions. */
  ...{ does_not_fit: 5, unknown: 6 },
} as const;
const defaultPollMs = 1000;
/** Control characters that pass unescaped. API texts may contain any others. */
const shown = '\n\t';

/**
 * Runs one command of the client.
 * @param argv words after `vigil`.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 not reachable, 4 done in part, 5 or 6 when
 * a what-if does not fit or that is unknown, 130 or 143 after SIGINT or SIGTERM.
 */
export async function runCli(argv: readonly string[], overrides: Partial<CliContext> = {}): Promise<number> {
  const env = overrides.env ?? process.env;
  const { out = (text) => process.stdout.write(text), err = (text) => process.stderr.write(text) } = overrides;
  let aheadMs = 0;
  const context: CliContext = {
    env,
    isTerminal: (process.stderr.isTTY ?? false) && env.TERM !== 'dumb',
    columns: process.stdout.isTTY ? terminalWidth(env, process.stdout.columns) : undefined,
    verbosity: { level: 'normal' },
    now: () => Date.now() + aheadMs,
    onServerTime(millis) {
      aheadMs = millis - Date.now();
    },
    pollMs: defaultPollMs,
    client: (globals) => connect(globals, context),
    ...overrides,
    out: (text) => out(printable(text, shown)),
    err: (text) => err(printable(text, shown)),
  };
  const program = createProgram(context);
  program.hook('preAction', () => {
    context.verbosity.level = levelOf(program.opts<GlobalOptions>());
  });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return exitCodes.usage;
    }
    await program.parseAsync([...argv], { from: 'user' });
    const { reason } = context.signal ?? {};
    return reason instanceof InterruptedError ? exitCodes[reason.signal] : exitCodes.done;
  } catch (error) {
    return report(context, error);
  }
}

function levelOf({ debug, verbose, quiet }: GlobalOptions): Verbosity['level'] {
  if (debug) return 'debug';
  if (verbose) return 'verbose';
  return quiet ? 'quiet' : 'normal';
}

/** Prints the error in one line, and its origin with `--debug`. Returns the exit code. */
function report(context: CliContext, error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
  const text = error instanceof Error ? error.message : String(error);
  context.err(
    `vigil: ${text
      .replace(/^error: /, '')
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')}\n`,
  );
  if (context.verbosity.level === 'debug' && error instanceof Error) context.err(`${inspect(error)}\n`);
  if (error instanceof InterruptedError) return exitCodes[error.signal];
  if (error instanceof PartialOutcomeError) return exitCodes.partial;
  if (error instanceof VerdictError) return exitCodes[error.verdict];
  if (error instanceof CommanderError || error instanceof UsageError) return exitCodes.usage;
  if (error instanceof VigilApiError && (error.kind === 'unreachable' || error.kind === 'timeout')) {
    return exitCodes.unreachable;
  }
  return exitCodes.failed;
}
