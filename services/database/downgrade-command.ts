import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { type DowngradePlan, downgradeSchema } from '#libs/store';
import { ask } from './reach-database.ts';

interface DowngradeFlags {
  steps: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface DowngradeDeps {
  databaseUrl(): string;
  logger(): Logger;
}

/** `vigil db downgrade`: lists the data that will be lost and prompts for confirmation. */
export function addDowngradeCommand(program: Command, deps: DowngradeDeps): void {
  program
    .command('downgrade')
    .description('revert the newest migrations, one by default; no process of Vigil may run')
    .argument('[one]', '"one": only the newest migration')
    .option('--steps <n>', 'number of migrations', '1')
    .option('--dry-run', 'only list the data that would be lost')
    .option('-y, --yes', 'skip the confirmation')
    .option('--json', 'print the result as JSON; never prompts, so it needs --yes or --dry-run')
    .action((word: string | undefined, flags: DowngradeFlags) => downgrade(word, flags, deps));
}

async function downgrade(word: string | undefined, flags: DowngradeFlags, deps: DowngradeDeps): Promise<void> {
  const { steps, dryRun, yes, json } = flags;
  if (word !== undefined && (word !== 'one' || steps !== '1'))
    throw new OperatorError(`cannot revert "${word}": use "one", or --steps with a number`, { exitCode: 2 });
  if (!/^[1-9]\d{0,3}$/.test(steps))
    throw new OperatorError(`--steps must be a whole number from 1, not "${steps}"`, { exitCode: 2 });
  if (json && !(yes || dryRun))
    throw new OperatorError('--json never prompts: add --yes or --dry-run', { exitCode: 2 });
  const { reverted, losses, isDone } = await downgradeSchema(deps.databaseUrl(), {
    steps: Number(steps),
    logger: deps.logger(),
    async confirm(plan) {
      if (!json) process.stdout.write(describe(plan));
      if (dryRun) return false;
      return yes === true || ask('Their content cannot be restored without a backup. Continue?');
    },
  });
  if (json) process.stdout.write(`${JSON.stringify({ reverted, losses, done: isDone })}\n`);
  else process.stdout.write(`${outcome(reverted, isDone, dryRun === true)}\n`);
}

function outcome(reverted: readonly string[], isDone: boolean, isDryRun: boolean): string {
  if (reverted.length === 0) return 'There are no migrations to revert.';
  if (isDone) return `Reverted: ${reverted.join(', ')}`;
  return isDryRun ? 'Nothing was changed (dry run).' : 'Nothing was changed.';
}

function describe({ reverted, losses: { tables, columns } }: DowngradePlan): string {
  const lines = [
    ...tables.map(({ name, rows }) => `  table ${name}: ${rows} rows\n`),
    ...columns.map(({ table, name, values }) => `  column ${table}.${name}: ${values} values\n`),
  ];
  const lost = lines.length > 0 ? `Data to be lost:\n${lines.join('')}` : 'No table or column will be lost.\n';
  return `Migrations to revert: ${reverted.join(', ')}\n${lost}`;
}
