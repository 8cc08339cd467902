import { processes } from './cli/process-words.ts';

/** Processes that parse their own arguments. */
const withArguments = new Set(['demo', 'down', 'simulator']);

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
export async function serveUsage(
  word: string,
  args: readonly string[],
  output: UsageOutput = terminal,
): Promise<number | null> {
  const purpose = withArguments.has(word) ? undefined : processes[word];
  const [first] = args;
  if (purpose === undefined || first === undefined) return null;
  if (word === 'up' && first === '--world' && args.length === 2) return null;
  if (first === '--help' || first === '-h') {
    const own = word === 'up' ? '[--world <file>] ' : '';
    output.out(`Usage: vigil ${word} ${own}[--config-file <path>] [--config-dir <folder>]\n\n${purpose}\n\n`);
    if (word === 'up') output.out(`${worldOfUp}${await variablesOfUp()}`);
    output.out('The environment comes before files. All keys: vigil config sample\n');
    return 0;
  }
  const more = word === 'up' ? '--world, ' : '';
  output.err(`vigil ${word}: unknown argument "${first}"; it takes none but ${more}--config-file and --config-dir\n`);
  return 2;
}

const worldOfUp = `--world <file>  world of the simulated cloud, such as a recording
                (VIGIL_SIMULATOR_WORLD)

`;

/** Keys that `vigil up` or its simulated cloud read, and the plugins, with their defaults. */
async function variablesOfUp(): Promise<string> {
  const [{ configurationSections }, { wrapWords }] = await Promise.all([
    import('./config/sections.ts'),
    import('./config/sample.ts'),
  ]);
  const keysOf = (word: string) =>
    Object.entries(configurationSections.find(({ process }) => process === word)!.schema);
  const plugins = keysOf('decision-engine').filter(([name]) => name.startsWith('VIGIL_PLUGINS'));
  const keys = new Map([...keysOf('simulator'), ...keysOf('up'), ...plugins]);
  const texts = [...keys]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, { defaultText, description }]) => {
      const lines = wrapWords(description.replaceAll('`', ''), lineWidth).map((line) => `      ${line}`);
      return `  ${name}${(defaultText ?? '') === '' ? '' : ` (default: ${defaultText})`}\n${lines.join('\n')}\n`;
    });
  return `Variables of the environment:\n${texts.join('')}\n`;
}

/** Width of the description of a key, in characters. */
const lineWidth = 74;
