import type { Command } from 'commander';
import type { VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';

/** For programs that are only inspected: they print nothing and send no requests. */
export const quietContext: CliContext = {
  env: {},
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  verbosity: { level: 'normal' },
  now: () => 0,
  pollMs: 1,
  client: () => ({}) as VigilClient,
};

/** A command with an action, by its words, such as `audit list`. */
export interface Leaf {
  path: string;
  command: Command;
}

/** A command that has both an action and further commands. */
const acting = 'audit-log';

/** Every command of a program with an action. */
export function leavesOf(command: Command, path = ''): Leaf[] {
  return command.commands.flatMap((child) => {
    const words = path === '' ? child.name() : `${path} ${child.name()}`;
    const own = child.commands.length === 0 || words === acting ? [{ path: words, command: child }] : [];
    return [...own, ...leavesOf(child, words)];
  });
}
