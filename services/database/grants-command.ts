import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { grantPrivileges } from '#libs/store';

interface GrantsFlags {
  readOnly?: boolean;
  apply?: boolean;
  json?: boolean;
}

interface GrantsDeps {
  databaseUrl(): string;
  logger(): Logger;
}

/** `vigil db grants`: the privileges of a database role that is not the owner of the tables. */
export function addGrantsCommand(program: Command, deps: GrantsDeps): void {
  program
    .command('grants <role>')
    .description('print the SQL that gives a database role exactly the privileges that the processes need')
    .option('--read-only', 'the privileges of read-only users: all tables except those with secrets')
    .option('--apply', 'run it, as the owner of the tables')
    .option('--json', 'print the statements as JSON')
    .action(async (role: string, { readOnly, apply = false, json }: GrantsFlags) => {
      if (role.trim() === '') throw new OperatorError('the role has no name', { exitCode: 2 });
      const kind = readOnly ? ('reader' as const) : ('app' as const);
      const options = { role, kind, logger: deps.logger(), isApplied: apply };
      const statements = await grantPrivileges(deps.databaseUrl(), options);
      const text = json ? JSON.stringify({ role, kind, applied: apply, statements }) : `${statements.join(';\n')};`;
      process.stdout.write(`${text}\n`);
    });
}
