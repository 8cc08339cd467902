import type { Command } from 'commander';
import type { Logger } from '#libs/domain';
import { importWatcher, readWatcher } from '#libs/store';

interface ImportDeps {
  databaseUrl(): string;
  logger(): Logger;
}

/** `vigil db import`: imports the data of a Watcher. */
export function addImportCommand(program: Command, { databaseUrl, logger }: ImportDeps): void {
  program
    .command('import')
    .description('import the rows of an existing Watcher database; may be repeated')
    .argument('<dump-or-url>', 'file made by mysqldump or pg_dump (plain format), or URL of a PostgreSQL or MySQL')
    .option('--dry-run', 'try everything, then roll back')
    .option('--json', 'print the result as JSON')
    .action(async (source: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      const tables = await readWatcher(source, { logger: logger() });
      const result = await importWatcher(databaseUrl(), tables, { dryRun: dryRun === true, logger: logger() });
      const lines = Object.entries(result.imported).map(
        ([table, count]) => `${table.padEnd(20)} ${count} imported, ${result.present[table] ?? 0} already there\n`,
      );
      const end = dryRun ? 'Nothing was changed (dry run).\n' : '';
      process.stdout.write(
        json ? `${JSON.stringify({ ...result, dryRun: dryRun === true })}\n` : `${lines.join('')}${end}`,
      );
    });
}
