import { existsSync, writeFileSync } from 'node:fs';
import { Argument, Command, Option } from 'commander';
import { messageOf, OperatorError, printable } from '#libs/domain';
import { runProgram, withRunningStack } from '#libs/service-kit';
import { checkFiles } from './check-files.ts';
import { importReport, importWatcherFile } from './import-watcher-file.ts';
import { sampleFile } from './sample.ts';
import { configurationSections } from './sections.ts';
import { showValues } from './show-values.ts';

/** Exit codes: wrong usage, and an invalid configuration. */
const misused = 2;
const unusable = 78;

interface Options {
  json?: boolean;
  process?: string;
}

/** `vigil config show|check|sample|import`: the configuration of the processes. Returns the exit code. */
export function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('vigil config')
    .exitOverride()
    .description(
      'Configuration: files (--config-file, --config-dir; /etc/vigil/vigil.conf), overridden by the environment.',
    );
  withProcess(
    program.command('show').description('show the values in effect and their sources; values of secrets are omitted'),
  )
    .option('--all', 'include defaults')
    .action(({ process: name, all, json }: Options & { all?: boolean }) => {
      const values = showValues(withRunningStack(process.env), name, all === true, process.env);
      if (json) return print(JSON.stringify(values));
      const width = Math.max(0, ...values.map(({ key }) => key.length));
      for (const { key, value, from } of values) print(`${key.padEnd(width)}  ${printable(value ?? '-')}  (${from})`);
    });
  withProcess(
    program
      .command('check')
      .description('check the configuration as the processes do; exits with 78 if one would not start'),
  ).action(async ({ process: name, json }: Options) => {
    const findings = await checkFiles(withRunningStack(process.env), name);
    exitCode = findings.faults.length > 0 ? unusable : 0;
    if (json) return print(JSON.stringify(findings));
    for (const { fault, processes } of findings.faults) print(`fault (${processes.join(', ')}): ${printable(fault)}`);
    for (const warning of findings.warnings) print(`warning: ${printable(warning)}`);
    if (exitCode === 0) print('The configuration is valid.');
  });
  program
    .command('sample')
    .description('print a vigil.conf with every key, its meaning and its default')
    .action(() => print(sampleFile().trimEnd()));
  program
    .command('import')
    .description("create a vigil.conf from Watcher's files, including <file>.d beside a file")
    .addArgument(new Argument('<files...>', 'such as /etc/watcher/watcher.conf'))
    .option('--dir <folder>', 'further folder with .conf files', (folder, before: string[]) => [...before, folder], [])
    .option('--output <path>', 'file to write; it must not exist', 'vigil.conf')
    .option('--dry-run', 'only print the report on each option')
    .option('--json', 'print the report on each option as JSON')
    .action((files: string[], options: ImportOptions) => importFiles(files, options));
  return runProgram('config', program, args, { exitCode: () => exitCode });
}

interface ImportOptions {
  dir: string[];
  output: string;
  dryRun?: boolean;
  json?: boolean;
}

function importFiles(files: string[], { dir, output, dryRun, json }: ImportOptions): void {
  if (!dryRun && existsSync(output))
    throw new OperatorError(`${output} already exists: choose another --output`, { exitCode: misused });
  const { options, text } = importWatcherFile(files, dir, process.env);
  if (!dryRun) write(output, text);
  if (json) {
    print(
      JSON.stringify(
        options.map(({ entry: { section, key }, verdict, variables, note }) => ({
          section,
          key,
          verdict,
          keys: Object.keys(variables),
          note,
        })),
      ),
    );
    return;
  }
  print(printable(importReport(options), '\n').trimEnd());
  print(
    dryRun
      ? '\nNothing was written (dry run).'
      : `\nWritten: ${output}. Check it: vigil config check --config-file ${output}`,
  );
}

function write(path: string, text: string): void {
  try {
    // The file contains passwords.
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${messageOf(error)}`, { cause: error, exitCode: 1 });
  }
}

function withProcess(command: Command): Command {
  const names = configurationSections.flatMap(({ process: name, checks }) => (name && checks ? [name] : []));
  return command
    .addOption(new Option('--process <name>', 'only this kind of process').choices(names))
    .option('--json', 'print JSON');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
