import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { restoreDatabase } from '#libs/store';
import { ask } from './ask.ts';
import { withDatabase } from './reach-database.ts';

interface RestoreFlags {
  dropFormer?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** `vigil db restore`: brings back what `vigil db backup` wrote. */
export function addRestoreCommand(program: Command, { logger }: { logger(): Logger }): void {
  program
    .command('restore')
    .description('put a backup in the place of the database; no process of Vigil may run')
    .argument('<file>', 'written by `vigil db backup`')
    .option('--drop-former', 'remove the database that was there; by default it stays under another name')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON; asks no question, so give --yes')
    .action((file: string, flags: RestoreFlags) => restore(file, flags, logger()));
}

async function restore(file: string, { dropFormer, yes, json }: RestoreFlags, logger: Logger): Promise<void> {
  if (json && !yes) throw new OperatorError('--json asks no questions: give --yes with it', { exitCode: 2 });
  const result = await withDatabase(logger, (url) =>
    restoreDatabase(url, file, {
      logger,
      dropsFormer: dropFormer === true,
      confirm: async ({ madeAt }) =>
        yes === true || ask(`The backup of ${madeAt} takes the place of everything in the database. Continue?`),
    }),
  );
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else if (result === null) process.stdout.write('Nothing was changed.\n');
  else {
    const { rows, former, heldPlans, heldAudits } = result;
    const kept = former === null ? '' : `What was there is kept as database ${former}.\n`;
    process.stdout.write(
      `Restored: ${rows} rows. Held until you have looked: ${heldPlans.length} action plans, ${heldAudits.length} audits.\n${kept}`,
    );
  }
}
