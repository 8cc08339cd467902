import { type Command, Option } from 'commander';
import { examples } from '../command-examples.ts';
import { exitCodes } from '../exit-codes.ts';
import { processes, tools } from '../process-words.ts';
import { outputHeading } from './output-options.ts';

const outputText = plain(
  'Commands that print lists and objects take these. A table on a terminal fits its width. In a pipe each row is one line with every column and full values.',
);

const environment = [
  ['COLUMNS', 'width of the terminal'],
  ['NO_COLOR', 'set: disables colours'],
  ['TERM', 'dumb: no frames and no progress bar'],
  ['CLIFF_FIT_WIDTH', '1: as --fit-width'],
  ['CLIFF_MAX_TERM_WIDTH', 'as --max-width'],
] as const;

/** The manual page, vigil(1), as roff: the commands, options and examples of `program`. */
export function manualPage(program: Command): string {
  return [
    '.TH VIGIL 1 "" "Vigil" "User Commands"',
    section('NAME', 'vigil \\- optimizes OpenStack clouds'),
    section(
      'SYNOPSIS',
      '.B vigil\n[global options] <noun> <verb> [arguments] [options]\n.br\n.B vigil\n<process or tool>',
    ),
    section(
      'DESCRIPTION',
      plain(
        'Audits a running OpenStack cloud, proposes action plans and executes them. The commands call a running Vigil; the processes and tools are Vigil itself.',
      ),
    ),
    section('GLOBAL OPTIONS', optionsOf(program.options)),
    section('OUTPUT OPTIONS', `${outputText}\n${optionsOf(outputOptionsOf(program))}`),
    section('ENVIRONMENT', environment.map(([name, meaning]) => item(name, meaning)).join('\n')),
    section(
      'COMMANDS',
      leavesOf(program)
        .map(([path, command]) => commandText(path, command))
        .join('\n'),
    ),
    section(
      'PROCESSES',
      Object.entries(processes)
        .map(([word, purpose]) => item(`vigil ${word}`, purpose))
        .join('\n'),
    ),
    section(
      'TOOLS',
      Object.entries(tools)
        .map(([word, words]) => item(`vigil ${word}`, words.join(', ')))
        .join('\n'),
    ),
    section('EXIT STATUS', exitCodes.map(([code, meaning]) => item(code, meaning)).join('\n')),
    '',
  ].join('\n');
}

function section(title: string, text: string): string {
  return `.SH ${title}\n${text}`;
}

function commandText(path: string, command: Command): string {
  const lines = (examples[path] ?? []).map((example) => plain(`vigil ${example}`));
  const usage = plain(`vigil ${path} ${command.usage()}`);
  const shown = lines.length > 0 ? ['.PP', 'Examples:', '.nf', ...lines, '.fi'] : [];
  return [`.SS ${usage}`, plain(`${command.description()}.`), optionsOf(command.options.filter(isOwn)), ...shown]
    .filter((line) => line !== '')
    .join('\n');
}

function optionsOf(options: readonly Option[]): string {
  return options
    .map(({ flags, description, argChoices, defaultValue, defaultValueDescription }) => {
      const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
      const usual = defaultValueDescription ?? defaultValue;
      return item(flags, `${description}${choices}${usual === undefined ? '' : `, default ${usual}`}`);
    })
    .join('\n');
}

/** Options of many commands have one section. */
function isOwn({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading !== outputHeading;
}

/** The output options of all commands, each once and without the columns of one command. */
function outputOptionsOf(program: Command): Option[] {
  const all = new Map<string, Option>();
  for (const option of leavesOf(program).flatMap(([, command]) => command.options)) {
    if (!isOwn(option) && !all.has(option.flags)) all.set(option.flags, option);
  }
  return [...all.values()].map((option) => {
    if (option.attributeName() !== 'column' && option.attributeName() !== 'sortColumn') return option;
    return new Option(option.flags, option.description);
  });
}

function item(term: string, text: string): string {
  return `.TP\n.B ${plain(term)}\n${plain(text)}`;
}

/** Commands that have both an action and further commands. */
const acting = new Set(['services', 'audit-log']);

function leavesOf(command: Command, path = ''): [string, Command][] {
  return command.commands.flatMap((child): [string, Command][] => {
    const words = path === '' ? child.name() : `${path} ${child.name()}`;
    const own: [string, Command][] = child.commands.length === 0 || acting.has(words) ? [[words, child]] : [];
    return [...own, ...leavesOf(child, words)];
  });
}

/** Text with roff requests and escapes quoted. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
