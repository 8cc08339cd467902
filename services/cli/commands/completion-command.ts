import { Argument, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { isValueKind, readValues, valueKinds } from '../completion-values.ts';
import { UsageError } from '../errors.ts';
import { completionEntries } from '../output/completion-entries.ts';
import { bashScript, fishScript, zshScript } from '../output/completion-scripts.ts';
import { clientOf } from './shared-options.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Time limit in seconds for name requests of shell completion, while the user waits. */
const requestSeconds = '3';

/**
 * `completion bash|zsh|fish`: prints a script for the shell. `completion values <kind>`: prints the values that the
 * script needs.
 */
export function registerCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('Print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish; values is for the scripts'))
    .argument('[kind]', `after values: ${valueKinds.join(', ')}`)
    .action(async (shell: string, kind: string | undefined, _: object, command: Command) => {
      if (shell === 'values') {
        if (!isValueKind(kind))
          throw new UsageError(`there are values of ${valueKinds.join(', ')}, not of ${kind ?? 'nothing'}`);
        command.parent?.setOptionValue('timeout', requestSeconds);
        const values = await readValues(clientOf(context, command), kind);
        context.out(values.map((value) => `${value}\n`).join(''));
        return;
      }
      if (!isShell(shell)) throw new UsageError(`there is completion for bash, zsh and fish, not for ${shell}`);
      context.out(scripts[shell](completionEntries(program, Object.keys(scripts))));
    });
}

function isShell(word: string): word is keyof typeof scripts {
  return Object.hasOwn(scripts, word);
}
