import { Command, CommanderError } from 'commander';
import { printable } from '#libs/domain';
import { createLogger, systemClock, withRunningStack } from '#libs/service-kit';
import { commonEnv, parseEnv, warnOfUnknownKeys } from '#libs/service-kit/env';
import { judge, runChecks, type Verdict } from './run-checks.ts';
import { upgradeChecks } from './upgrade-checks.ts';

/** Exit code after an unexpected error, as in `watcher-status`. */
const unexpected = 255;

/**
 * `vigil status upgrade-check` (also `upgrade check`): 0 success, 1 a warning, 2 a failure, 255 an unexpected error.
 */
export async function run(args: string[]): Promise<number> {
  let exitCode = 0;
  // The command copies the override when it is created.
  const program = new Command('vigil status')
    .exitOverride()
    .description('Checks whether this version can run with its dependencies.');
  const words = args[0] === 'upgrade' && args[1] === 'check' ? ['upgrade-check', ...args.slice(2)] : args;
  program
    .command('upgrade-check')
    .description('check all requirements of an upgrade')
    .option('--json', 'print the results as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const environment = withRunningStack(process.env);
      const logger = quietLogger(environment);
      const verdicts = await runChecks(upgradeChecks(environment, { logger, clock: systemClock }));
      const { exitCode: code, result } = judge(verdicts);
      exitCode = code;
      process.stdout.write(json ? `${JSON.stringify({ result, checks: verdicts })}\n` : table(verdicts, result));
    });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : unexpected;
    process.stderr.write(`vigil status: ${error instanceof Error ? error.message : String(error)}\n`);
    return unexpected;
  }
}

function quietLogger(environment: NodeJS.ProcessEnv) {
  parseEnv(commonEnv, environment);
  warnOfUnknownKeys(environment, createLogger({ service: 'status', level: 'warn', pretty: false }));
  return createLogger({ service: 'status', level: 'error', pretty: false });
}

function table(verdicts: readonly Verdict[], result: string): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const lines = verdicts.map(
    ({ name, result: outcome, details }) =>
      `${name.padEnd(width)}  ${outcome.padEnd(7)}${details ? `  ${printable(details)}` : ''}\n`,
  );
  return `${lines.join('')}\n${result}\n`;
}
