import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { OutcomeError, UsageError } from '../errors.ts';
import { printAssessment } from '../output/assessment.ts';
import { type OutputOptions, withJson } from '../output/output-options.ts';
import { collect, parseParameters } from './shared-options.ts';

interface AssessOptions extends OutputOptions {
  world: string[];
  worlds: number;
  seed: number;
  strategy?: string;
  parameter?: string[];
  timeLimit: number;
  days: boolean;
}

/** Most random worlds of a command. */
const mostWorlds = 10_000;

/** `plugin assess`: assesses the strategies of a plugin in this process, without an API. */
export function registerPluginAssessCommand(plugin: Command, context: CliContext): void {
  withJson(
    plugin
      .command('assess')
      .description('Assess the strategies of a plugin on random and recorded worlds')
      .argument('<plugin>', 'folder of the plugin, or name of its npm package')
      .option('--world <file>', 'additional recording to assess on; repeatable', collect, [])
      .option('--worlds <number>', 'number of random worlds', wholeNumber('--worlds', 0, mostWorlds), 20)
      .option('--seed <number>', 'seed of the first random world', wholeNumber('--seed', 0, 2 ** 31), 1)
      .option('--strategy <name>', 'strategy to assess, default all')
      .option('-p, --parameter <name=value>', 'parameter of the strategies; repeatable', collect)
      .option('--time-limit <seconds>', 'time limit of each run', wholeNumber('--time-limit', 1, 3600), 10)
      .option('--no-days', 'skip the simulated days'),
  )
    .addHelpText(
      'after',
      `
Properties: deterministic, bounded (time, memory, actions), robust (no errors
on unusual clouds), constraints (moves that the cloud and the audit admit), and
calm (over a day). The exit code is 1 when one is broken.`,
    )
    .action(async (path: string, options: AssessOptions) => {
      if (context.assessPlugin === undefined) throw new UsageError('plugins cannot be assessed here');
      const { world: files, worlds: random, seed, strategy, timeLimit: timeLimitSeconds, days } = options;
      const parameters = parseParameters(options.parameter);
      const settings = { strategy, parameters, timeLimitSeconds, days };
      const assessment = await context.assessPlugin(path, { files, random, seed }, settings);
      printAssessment(context, options, assessment);
      const bad = assessment.strategies.filter(({ good }) => !good).map((one) => one.strategy);
      if (bad.length > 0) throw new OutcomeError(`properties of ${bad.join(', ')} are broken`);
    });
}

function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most)
      throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${text}`);
    return number;
  };
}
