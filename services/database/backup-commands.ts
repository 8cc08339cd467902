import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { backUpDatabase, createStore, restoreDatabase } from '#libs/store';
import { ask, withDatabase } from './reach-database.ts';

/** `vigil db backup`: writes a consistent copy of the database to a file. */
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

interface RestoreFlags {
  dropFormer?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** `vigil db restore`: restores a file of `vigil db backup`. */
export function addRestoreCommand(program: Command, { logger }: { logger(): Logger }): void {
  program
    .command('restore')
    .description('replace the database by a backup; no process of Vigil may run')
    .argument('<file>', 'written by `vigil db backup`')
    .option('--drop-former', 'remove the old database; by default it stays under another name')
    .option('-y, --yes', 'skip the confirmation')
    .option('--json', 'print the result as JSON; never prompts, so it needs --yes')
    .action((file: string, flags: RestoreFlags) => restore(file, flags, logger()));
}

async function restore(file: string, { dropFormer, yes, json }: RestoreFlags, logger: Logger): Promise<void> {
  if (json && !yes) throw new OperatorError('--json never prompts: add --yes', { exitCode: 2 });
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
    const kept = former === null ? '' : `The former content is kept as database ${former}.\n`;
    process.stdout.write(
      `Restored: ${rows} rows. On hold until you review them: ${heldPlans.length} action plans, ${heldAudits.length} audits.\n${kept}`,
    );
  }
}

interface RestoredFlags {
  yes?: boolean;
  json?: boolean;
}

interface RestoredDeps {
  databaseUrl(): string;
  logger(): Logger;
}

const question =
  'All action plans and audits that are PENDING, ONGOING or CANCELLING become SUSPENDED, and clients of the change stream start over. Continue?';

/** `vigil db restored`: announces a restore that Vigil cannot detect, such as copied files of a stopped server. */
export function addRestoredCommand(program: Command, deps: RestoredDeps): void {
  program
    .command('restored')
    .description('report that the database was restored from a backup: work in progress in it is suspended')
    .option('-y, --yes', 'skip the confirmation')
    .option('--json', 'print the result as JSON; never prompts, so it needs --yes')
    .action(async ({ yes, json }: RestoredFlags) => {
      if (json && !yes) throw new OperatorError('--json never prompts: add --yes', { exitCode: 2 });
      if (!yes && !(await ask(question))) {
        process.stdout.write('Nothing was changed.\n');
        return;
      }
      const store = await createStore({ url: deps.databaseUrl(), logger: deps.logger(), applicationName: 'vigil-db' });
      try {
        const { heldPlans, heldAudits } = await store.lineage.declareRestored();
        const held = `Held: ${heldPlans.length} action plans, ${heldAudits.length} audits.`;
        const listed = [
          ...heldPlans.map((uuid) => `  action plan ${uuid}`),
          ...heldAudits.map((uuid) => `  audit ${uuid}`),
        ];
        const text = [held, ...listed].join('\n');
        process.stdout.write(`${json ? JSON.stringify({ action_plans: heldPlans, audits: heldAudits }) : text}\n`);
      } finally {
        await store.close();
      }
    });
}
