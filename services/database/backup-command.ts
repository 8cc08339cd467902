import type { Command } from 'commander';
import type { Logger } from '#libs/domain';
import { backUpDatabase } from '#libs/store';
import { withDatabase } from './reach-database.ts';

/** `vigil db backup`: everything in the database, as of one moment, in a file. */
export function addBackupCommand(program: Command, { logger }: { logger(): Logger }): void {
  program
    .command('backup')
    .description('write the database to a new file; without VIGIL_DATABASE_URL the embedded one, also while it runs')
    .argument('<file>', 'such as vigil.backup; only you will be able to read it')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const log = logger();
      const summary = await withDatabase(log, (url) => backUpDatabase(url, file, { logger: log }));
      const { tables, rows, bytes } = summary;
      const text = `${file}: ${rows} rows of ${tables} tables, ${Math.ceil(bytes / 1024)} KiB`;
      process.stdout.write(`${json ? JSON.stringify(summary) : text}\n`);
    });
}
