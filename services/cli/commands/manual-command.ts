import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { manualPage } from '../output/manual-page.ts';

/** `manual`: prints the manual page, made from the same definitions as the help. */
export function registerManualCommand(program: Command, context: CliContext): void {
  program
    .command('manual')
    .description('Print the manual page vigil(1), for man -l -')
    .action(() => context.out(manualPage(program)));
}
