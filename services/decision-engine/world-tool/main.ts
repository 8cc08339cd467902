import { rename, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { messageOf, OperatorError, printable } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import { runProgram, withRunningStack } from '#libs/service-kit';
import { registerAudit } from './audit/audit-command.ts';
import { createProgress } from './progress.ts';
import { recordConfigured } from './record/record-configured.ts';

/** Exit code for wrong usage and for a cloud that cannot be read. */
const misused = 2;
const mostDays = 35;

/** Commands that another process performs. */
export interface WorldPlayers {
  /** Runs the simulated cloud with these arguments. Returns the exit code. */
  simulate(args: string[]): Promise<number>;
}

/**
 * `vigil world`: records a cloud and plays recordings.
 * @returns the exit code: 0, 1 for a failure, 2 for wrong usage and for a cloud or a file that cannot be read
 */
export function run(args: string[], players: WorldPlayers): Promise<number> {
  let exitCode = 0;
  // The command copies the override when it is created.
  const program = new Command('vigil world')
    .exitOverride()
    .description('Recordings of clouds: worlds with the load of their instances and hosts.');
  registerRecord(program);
  registerAudit(program);
  registerPlay(program, async (words) => {
    exitCode = await players.simulate(words);
  });
  return runProgram('world', program, args, {
    exitCode: () => exitCode,
    asOperatorError: (error) =>
      error instanceof OpenStackError ? new OperatorError(error.message, { cause: error, exitCode: misused }) : error,
  });
}

interface RecordFlags {
  out: string;
  days: number;
  anonymise: boolean;
  keyFile: string;
  json?: boolean;
}

function registerRecord(program: Command): void {
  program
    .command('record')
    .description('write the configured cloud and its history to a file')
    .requiredOption('--out <file>', 'file to write')
    .option('--days <number>', `length of the load, 0 to ${mostDays} days`, days, 7)
    .option('--anonymise', 'replace names, ids and texts by pseudonyms (default)', true)
    .option('--no-anonymise', 'keep names, ids and texts')
    .option('--key-file <file>', 'key of the pseudonyms; created when there is none', 'vigil-world.key')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
The same key gives the same pseudonyms. Keep the key secret: with it,
a reader can test whether a name is in the file.

Examples:
  vigil world record --out week.world
  vigil world record --out now.world --days 0 --no-anonymise`,
    )
    .action(async ({ out, days: length, anonymise, keyFile, json }: RecordFlags) => {
      const progress = createProgress(process.stderr);
      const { recording, keyPath } = await recordConfigured(withRunningStack(process.env), {
        days: length,
        keyFile: anonymise ? keyFile : null,
        onProgress: ({ part, done, of }) =>
          progress.show(part === 'cloud' ? 'Reading the cloud' : 'Reading the history', done, of),
        onKey: (path) => process.stderr.write(printable(`Created the key of the pseudonyms: ${path}\n`, '\n')),
      }).finally(progress.end);
      await writeWhole(out, recording.file);
      const { world, load, measured, left, gaps, unread } = recording;
      for (const gap of gaps) process.stderr.write(printable(`not complete: ${gap}\n`, '\n'));
      const result = {
        file: out,
        bytes: recording.file.length,
        hosts: world.hosts.length,
        instances: world.servers.length,
        instances_left_out: left,
        start: new Date(load.startMs).toISOString(),
        steps: load.steps,
        step_seconds: load.stepSeconds,
        measured_percent: Math.round(1000 * measured) / 10,
        anonymised: keyPath !== null,
        key_file: keyPath,
        gaps,
        unread,
      };
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : printable(textOf(result), '\n'));
    });
}

function days(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > mostDays)
    throw new InvalidArgumentError(`It must be a number of days from 0 to ${mostDays}.`);
  return Number(text);
}

/** A failed write does not change an existing file. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const partial = `${path}.${process.pid}.part`;
  try {
    await writeFile(partial, content, { mode: 0o600 });
    await rename(partial, path);
  } catch (error) {
    throw new OperatorError(`cannot write ${path}: ${messageOf(error)}`, { cause: error, exitCode: misused });
  }
}

interface RecordResult {
  file: string;
  bytes: number;
  hosts: number;
  instances: number;
  instances_left_out: number;
  start: string;
  steps: number;
  step_seconds: number;
  measured_percent: number;
  key_file: string | null;
  unread: readonly string[];
}

function textOf(result: RecordResult): string {
  const { file, bytes, hosts, instances, instances_left_out: left, steps, step_seconds: seconds } = result;
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
  const without = left === 0 ? '' : ` (${left} without a host are left out)`;
  const load = `${((steps * seconds) / 86_400).toFixed(1)} days from ${result.start}`;
  return [
    `${file}: ${size}`,
    `  ${hosts} hosts, ${instances} instances${without}`,
    steps === 0 ? '  no load' : `  load: ${load}, ${result.measured_percent} % of the samples were measured`,
    ...(result.unread.length === 0 ? [] : [`  not read: ${result.unread.join(', ')}`]),
    result.key_file === null ? '  not anonymised' : `  anonymised with the key in ${result.key_file}`,
    '',
  ].join('\n');
}

interface PlayFlags {
  once?: boolean;
  speed?: string;
  port?: string;
}

function registerPlay(program: Command, simulate: (args: string[]) => Promise<void>): void {
  program
    .command('play')
    .description('run a simulated cloud with the inventory and the load of a world')
    .argument('<file>', 'a recording, another world file, or the name of a bundled world')
    .option('--once', 'keep the last load after the end of the recording; default: start again')
    .option('--speed <number>', 'simulated seconds per second')
    .option('--port <number>', 'port of the simulated cloud; 0: a free one')
    .addHelpText(
      'after',
      `
The history is written where VIGIL_DATABASE_URL or VIGIL_INFLUX_URL say. The
whole stack on a recording: vigil up --world FILE

Examples:
  vigil world play week.world --speed 60
  vigil world play azure2017-40`,
    )
    .action((file: string, { once, speed, port }: PlayFlags) => {
      const given = Object.entries({ speed, port }).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, value],
      );
      return simulate(['--world', file, ...(once ? ['--load', 'once'] : []), ...given]);
    });
}
