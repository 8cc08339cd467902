import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { type PurgeCounts, purgeDatabase, purgeKinds, totalOf } from '#libs/store';
import { ask } from './reach-database.ts';

interface PurgeFlags {
  ageInDays?: string;
  maxNumber?: string;
  goal?: string;
  excludeOrphans?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface PurgeDeps {
  databaseUrl(): string;
  logger(): Logger;
}

/** `vigil db purge`: with the options, prompts and order of `watcher-db-manage purge`. */
export function addPurgeCommand(program: Command, deps: PurgeDeps): void {
  program
    .command('purge')
    .description('permanently remove rows that were deleted through the API, and rows that refer to them')
    .option('-d, --age-in-days <n>', 'only rows deleted more than this many days ago')
    .option('-n, --max-number <n>', 'rows at most; whole goals are purged until the next would exceed it')
    .option('-t, --goal <uuid-or-name>', 'only this deleted goal and its related objects')
    .option('-e, --exclude-orphans', 'keep rows that are not deleted but refer to deleted ones')
    .option('--dry-run', 'only list the objects that would be removed')
    .option('-y, --yes', 'reply yes to every prompt')
    .option('--json', 'print the result as JSON; implies no questions, so give --yes or --dry-run')
    .action((flags: PurgeFlags) => purge(flags, deps));
}

async function purge(flags: PurgeFlags, deps: PurgeDeps): Promise<void> {
  if (flags.json && !(flags.yes || flags.dryRun))
    throw new OperatorError('--json never prompts: add --yes or --dry-run', { exitCode: 2 });
  const ageInDays = wholeNumber('--age-in-days', flags.ageInDays);
  const maxNumber = wholeNumber('--max-number', flags.maxNumber);
  const show = (counts: PurgeCounts) => {
    if (!flags.json) process.stdout.write(table(counts));
  };
  const { counts, isDone } = await purgeDatabase(deps.databaseUrl(), {
    ...(ageInDays === undefined ? {} : { ageInDays }),
    ...(maxNumber === undefined ? {} : { maxNumber }),
    ...(flags.goal === undefined ? {} : { goal: flags.goal }),
    excludeOrphans: flags.excludeOrphans === true,
    dryRun: flags.dryRun === true,
    logger: deps.logger(),
    async confirmLimit(found, limit) {
      show(found);
      const question = `There are ${totalOf(found)} objects, more than the maximum number of ${limit}. Do you want to delete objects up to the specified maximum number?`;
      return flags.yes === true || flags.dryRun === true || ask(question);
    },
    async confirm(found) {
      show(found);
      return flags.yes === true || ask(`There are ${totalOf(found)} objects set for deletion. Continue?`);
    },
  });
  if (flags.json) process.stdout.write(`${JSON.stringify({ counts, total: totalOf(counts), deleted: isDone })}\n`);
  else if (flags.dryRun) process.stdout.write(`${table(counts)}Nothing was deleted (dry run).\n`);
  else if (isDone) process.stdout.write(`Deleted ${totalOf(counts)} objects.\n`);
  else process.stdout.write('Nothing was deleted.\n');
}

/** @throws OperatorError for anything but a whole number from 0. */
function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (option === '--max-number' && /^-\d+$/.test(text))
    throw new OperatorError('Limit should be positive', { exitCode: 1 });
  if (!/^\d{1,9}$/.test(text))
    throw new OperatorError(`${option} must be a whole number from 0, not "${text}"`, { exitCode: 2 });
  return Number(text);
}

function table(counts: PurgeCounts): string {
  const lines = purgeKinds.map((kind) => [kind.replaceAll('_', ' '), String(counts[kind])]);
  const all = [...lines, ['total', String(totalOf(counts))]];
  return all.map(([name = '', count = '']) => `${name.padEnd(16)} ${count.padStart(9)}\n`).join('');
}
