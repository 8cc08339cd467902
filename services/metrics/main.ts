import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { OperatorError, printable } from '#libs/domain';
import { reportFatal, withRunningStack } from '#libs/service-kit';
import { isMissed, lookAtMetrics } from './look-at-metrics.ts';
import { metricsReport, resourceReport } from './report.ts';

/** Exit codes: wrong usage, and a metric that no host or no instance has. */
const misused = 2;
const nothingFound = 1;

interface CheckOptions {
  period: number;
  resource?: string;
  json?: boolean;
}

/** `vigil metrics check`: which metric is found where, for each host and instance of the cloud; answers the exit code. */
export async function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('vigil metrics')
    .exitOverride()
    .description('Metrics of hosts and instances in the data sources.');
  program
    .command('check')
    .description(
      'ask the data sources for every metric of every host and instance; 1 when CPU or memory of all of them are missing',
    )
    .option('--period <seconds>', 'how far back a value counts', seconds, 600)
    .option('--resource <id>', 'only of this host (name) or instance (uuid)')
    .option('--json', 'print everything as JSON')
    .action(async ({ period, resource, json }: CheckOptions) => {
      const findings = await lookAtMetrics(withRunningStack(process.env), period);
      exitCode = findings.some(isMissed) ? nothingFound : 0;
      if (json) return print(`${JSON.stringify(findings)}\n`);
      if (resource === undefined) return print(metricsReport(findings));
      const report = resourceReport(findings, resource);
      if (report === '')
        throw new OperatorError(`the cloud has no host or instance ${resource}`, { exitCode: misused });
      print(report);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
    return reportFatal('metrics', error);
  }
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

function print(text: string): void {
  process.stdout.write(printable(text, '\n'));
}
