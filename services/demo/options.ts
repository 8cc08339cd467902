import { Command, CommanderError, InvalidArgumentError } from 'commander';

export interface DemoOptions {
  /** Stop everything at the end instead of waiting for Ctrl-C. */
  exit: boolean;
  /** Print one JSON object as the last line, and nothing for people. */
  json: boolean;
  /** World of the simulated cloud: a shipped name or a path. */
  world: string;
  /** Simulated seconds per second. */
  speed: number;
}

/** Reads the arguments. A number is the exit code when there is nothing to run (help, or a usage error). */
export function readOptions(args: string[]): DemoOptions | number {
  const program = new Command('vigil demo')
    .description('Runs Vigil on a simulated cloud: load builds up, an audit proposes a plan, the plan is executed.')
    .option('--exit', 'stop everything at the end', false)
    .option('--json', 'print the result as one JSON object in the last line', false)
    .option('--world <name-or-path>', 'world of the simulated cloud', 'azure2017-40')
    .option('--speed <factor>', 'simulated seconds per second', readSpeed, 120)
    .exitOverride();
  try {
    return program.parse(args, { from: 'user' }).opts<DemoOptions>();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function readSpeed(text: string): number {
  const speed = Number(text);
  if (!Number.isFinite(speed) || speed <= 0 || speed > 10_000)
    throw new InvalidArgumentError('must be a number above 0 and at most 10000');
  return speed;
}
