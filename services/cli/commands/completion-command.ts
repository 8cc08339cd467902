import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { processes, tools, watchModes } from '../process-words.ts';

/** Every command with its words, as in `audit create`, and what may follow it. */
interface CompletionEntry {
  path: string;
  words: string[];
}

/** `completion bash|zsh|fish`: prints a script for the shell. */
export function registerCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('Print a completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => {
      const render = scripts[shell];
      if (!render) throw new UsageError(`there is completion for bash, zsh and fish, not for ${shell}`);
      context.out(render(entriesOf(program)));
    });
}

function entriesOf(program: Command): CompletionEntry[] {
  const top = [
    ...program.commands.map((command) => command.name()),
    ...Object.keys(processes),
    ...Object.keys(tools),
    '--version',
  ];
  const nested = program.commands.flatMap((command) => [
    { path: command.name(), words: wordsAfter(command) },
    ...command.commands.map((leaf) => ({ path: `${command.name()} ${leaf.name()}`, words: wordsAfter(leaf) })),
  ]);
  const ofTools = Object.entries(tools).map(([path, words]) => ({ path, words: [...words] }));
  const ofTargets = (tools.watch ?? []).map((target) => ({ path: `watch ${target}`, words: [...watchModes] }));
  const shells = { path: 'completion', words: Object.keys(scripts) };
  return [
    { path: '', words: top },
    ...nested.filter(({ path }) => path !== shells.path),
    shells,
    ...ofTools,
    ...ofTargets,
  ];
}

function wordsAfter(command: Command): string[] {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  return [...command.commands.map((child) => child.name()), ...options];
}

const scripts: Record<string, (entries: CompletionEntry[]) => string> = {
  bash: bashScript,
  zsh: (entries) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(entries)}`,
  fish: fishScript,
};

function bashScript(entries: CompletionEntry[]): string {
  const cases = entries.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`);
  return [
    '_vigil() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  local path="" words="" current="${COMP_WORDS[COMP_CWORD]}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  if [ "$COMP_CWORD" -gt 1 ]; then path="${COMP_WORDS[1]}"; fi',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  if [ "$COMP_CWORD" -gt 2 ]; then path="$path ${COMP_WORDS[2]}"; fi',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=( $(compgen -W "$words" -- "$current") )',
    '}',
    'complete -F _vigil vigil',
    '',
  ].join('\n');
}

/** As in the shells above, the first two words decide what may follow. */
function fishScript(entries: CompletionEntry[]): string {
  const at = 'function __vigil_at; set -l words (commandline -opc); test "$words[2..3]" = "$argv[1]"; end';
  const lines = entries.map(({ path, words }) => {
    return `complete -c vigil -f -n '__vigil_at "${path}"' -a '${words.join(' ')}'`;
  });
  return `${[at, ...lines].join('\n')}\n`;
}
