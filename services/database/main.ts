import { Command } from 'commander';
import { createLogger, runProgram, withRunningStack } from '#libs/service-kit';
import { commonEnv, parseEnv, requireDatabaseUrl, warnOfUnknownKeys } from '#libs/service-kit/env';
import { schemaStatus, upgradeSchema } from '#libs/store';
import { addBackupCommand, addRestoreCommand, addRestoredCommand } from './backup-commands.ts';
import { addDowngradeCommand } from './downgrade-command.ts';
import { addGrantsCommand } from './grants-command.ts';
import { addImportCommand } from './import-command.ts';
import { addPurgeCommand } from './purge-command.ts';
import { addSettleCommand } from './settle-command.ts';

/** `vigil db`: manages the schema of the domain store. Returns the exit code. */
export function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const fail = () => {
    exitCode = 1;
  };
  return runProgram('db', createProgram(fail), args, { exitCode: () => exitCode });
}

/** @param onFailure called when a command has failed in parts. */
function createProgram(onFailure: () => void): Command {
  // The commands copy the override when they are created.
  const program = new Command('vigil db')
    .exitOverride()
    .description(
      'Schema and rows of the domain store: the database of VIGIL_DATABASE_URL, else that of a running vigil up.',
    );
  program
    .command('upgrade')
    .description('apply all migrations that are missing')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { applied } = await upgradeSchema(databaseUrl(), { logger: logger() });
      print(json, { applied }, applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`);
    });
  addDowngradeCommand(program, { databaseUrl, logger });
  program
    .command('version')
    .description('show which migrations are applied and which are missing')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await schemaStatus(databaseUrl(), { logger: logger() });
      print(
        json,
        status,
        `applied: ${status.applied.at(-1) ?? 'none'}; missing: ${status.pending.join(', ') || 'none'}`,
      );
    });
  addBackupCommand(program, { logger });
  addRestoreCommand(program, { logger });
  addRestoredCommand(program, { databaseUrl, logger });
  addImportCommand(program, { databaseUrl, logger });
  addSettleCommand(program, { databaseUrl, logger, onFailure });
  addPurgeCommand(program, { databaseUrl, logger });
  addGrantsCommand(program, { databaseUrl, logger });
  return program;
}

function databaseUrl(): string {
  warnOfUnknownKeys(process.env, logger());
  return requireDatabaseUrl(parseEnv(commonEnv, withRunningStack(process.env)));
}

function logger() {
  const { VIGIL_LOG_LEVEL, VIGIL_LOG_PRETTY } = parseEnv(commonEnv, { VIGIL_LOG_LEVEL: 'warn', ...process.env });
  return createLogger({ service: 'db', level: VIGIL_LOG_LEVEL, pretty: VIGIL_LOG_PRETTY });
}

function print(json: boolean | undefined, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}
