import type { Command } from 'commander';
import { examples } from '../command-examples.ts';
import { processes, tools } from '../process-words.ts';

const exitCodes = [
  ['0', 'done'],
  ['1', 'refused by the service, or the awaited operation failed'],
  ['2', 'wrong usage; no request was sent'],
  ['3', 'no response in time'],
  ['75', 'a process: its name is taken'],
  ['78', 'a process: its configuration cannot be used'],
  ['130, 143', 'interrupted'],
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
    section('GLOBAL OPTIONS', optionsOf(program)),
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
  return [`.SS ${usage}`, plain(`${command.description()}.`), optionsOf(command), ...shown]
    .filter((line) => line !== '')
    .join('\n');
}

function optionsOf(command: Command): string {
  return command.options
    .map(({ flags, description, argChoices }) => {
      return item(flags, argChoices ? `${description} (${argChoices.join(', ')})` : description);
    })
    .join('\n');
}

function item(term: string, text: string): string {
  return `.TP\n.B ${plain(term)}\n${plain(text)}`;
}

function leavesOf(command: Command, path = ''): [string, Command][] {
  return command.commands.flatMap((child): [string, Command][] => {
    const words = path === '' ? child.name() : `${path} ${child.name()}`;
    const own: [string, Command][] = child.commands.length === 0 || words === 'services' ? [[words, child]] : [];
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
