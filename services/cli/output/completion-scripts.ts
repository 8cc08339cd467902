import type { CompletionEntry, Values } from './completion-entries.ts';

/** Requests names from the API. Prints nothing when that fails. */
const valuesCommand = 'vigil completion values';

/** A completion script for bash. The first two words determine the completions. */
export function bashScript(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ path, words, argument }) => {
    const kind = argument && 'kind' in argument ? ` kind=${argument.kind}` : '';
    return `    "${path}") words="${words.join(' ')}"${kind} ;;`;
  });
  const options = entries.flatMap(({ path, options: all }) =>
    all.map(({ flags, values }) => {
      const patterns = flags.map((flag) => `"${path} ${flag}"`).join('|');
      return `    ${patterns}) ${'kind' in values ? `words="" kind=${values.kind}` : `words="${values.words.join(' ')}" kind=""`} ;;`;
    }),
  );
  return [
    '_vigil() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  local path="" words="" kind="" current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  if [ "$COMP_CWORD" -gt 1 ]; then path="${COMP_WORDS[1]}"; fi',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of the shell
    '  if [ "$COMP_CWORD" -gt 2 ]; then path="$path ${COMP_WORDS[2]}"; fi',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  case "$path $before" in',
    ...options,
    '  esac',
    `  if [ -n "$kind" ] && [ "\${current#-}" = "$current" ]; then words="$words $(${valuesCommand} $kind 2>/dev/null)"; fi`,
    '  COMPREPLY=( $(compgen -W "$words" -- "$current") )',
    '}',
    'complete -F _vigil vigil',
    '',
  ].join('\n');
}

/** A completion script for zsh, which uses the bash one. */
export function zshScript(entries: readonly CompletionEntry[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(entries)}`;
}

/** A completion script for fish. As in bash, the first two words determine the completions. */
export function fishScript(entries: readonly CompletionEntry[]): string {
  const at = 'function __vigil_at; set -l words (commandline -opc); test "$words[2..3]" = "$argv[1]"; end';
  const lines = entries.flatMap(({ path, words, argument, options }) => {
    const here = `complete -c vigil -f -n '__vigil_at "${path}"'`;
    return [
      `${here} -a '${words.join(' ')}'`,
      ...(argument ? [`${here} -a '${fishValues(argument)}'`] : []),
      ...options.map(({ flags, values }) => `${here} ${flags.map(fishFlag).join(' ')} -x -a '${fishValues(values)}'`),
    ];
  });
  return `${[at, ...lines].join('\n')}\n`;
}

function fishValues(values: Values): string {
  return 'kind' in values ? `(${valuesCommand} ${values.kind} 2>/dev/null)` : values.words.join(' ');
}

function fishFlag(flag: string): string {
  return flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
}
