import type { Command } from 'commander';
import { type Logger, OperatorError, printable } from '#libs/domain';
import { type ConnectedWatcher, connectWatcher, OpenStackError, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { findLeftPlans, type LeftPlan, type SettledPlan, settlePlans } from './left-plans.ts';
import { ask } from './reach-database.ts';

interface SettleFlags {
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface SettleDeps {
  databaseUrl(): string;
  logger(): Logger;
  /** Called when a plan could not be settled. */
  onFailure(): void;
}

/** `vigil db settle`: cancels plans in Watcher that Vigil has carried out, after going back to Watcher. */
export function addSettleCommand(program: Command, deps: SettleDeps): void {
  program
    .command('settle')
    .description('cancel plans that Watcher still recommends although they have ended in Vigil; login in OS_*')
    .argument('[url]', 'URL of the API of Watcher; default: infra-optim of the catalogue', readUrl)
    .option('--dry-run', 'only list the plans')
    .option('-y, --yes', 'skip the confirmation')
    .option('--json', 'print the result as JSON; never prompts, so give --yes or --dry-run')
    .action((url: string | undefined, flags: SettleFlags) => settle(url, flags, deps));
}

async function settle(url: string | undefined, flags: SettleFlags, deps: SettleDeps): Promise<void> {
  if (flags.json && !(flags.yes || flags.dryRun))
    throw new OperatorError('--json never prompts: add --yes or --dry-run', { exitCode: 2 });
  const config = openStackConfigFromEnv(process.env);
  const endpointOverrides = { ...config.endpointOverrides, ...(url === undefined ? {} : { 'infra-optim': url }) };
  const logger = deps.logger();
  const store = await createStore({ url: deps.databaseUrl(), logger, applicationName: 'vigil-db' });
  const watcher = connectWatcher({ ...config, endpointOverrides }, { logger, clock: systemClock });
  try {
    if (!(await settleAll(watcher, store, flags))) deps.onFailure();
  } catch (error) {
    throw error instanceof OpenStackError ? explained(error) : error;
  } finally {
    await store.close();
    await watcher.close();
  }
}

/** Returns false when plans stay that were to be settled. */
async function settleAll(watcher: ConnectedWatcher, store: Store, flags: SettleFlags): Promise<boolean> {
  const { dryRun, yes, json } = flags;
  const endpoint = await watcher.endpoint();
  const left = await findLeftPlans(watcher, store);
  if (!json) print(`${endpoint} recommends ${left.length} plans that were started or ended in Vigil.\n${listOf(left)}`);
  const ended = left.filter(({ isEnded }) => isEnded);
  const isWanted = !dryRun && ended.length > 0 && (yes || (await ask(`Cancel ${ended.length} plans there?`)));
  const settled = isWanted ? await settlePlans(watcher, ended) : [];
  print(json ? jsonOf(endpoint, left, settled) : endOf(settled));
  return dryRun === true || (left.length === ended.length && settled.every(({ error }) => error === null));
}

function listOf(left: readonly LeftPlan[]): string {
  const lines = left.map(
    ({ uuid, state, isEnded }) => `  ${uuid}  ${state}${isEnded ? '' : '  (not ended: left alone)'}`,
  );
  return lines.map((line) => `${line}\n`).join('');
}

function endOf(settled: readonly SettledPlan[]): string {
  const failed = settled.filter(({ error }) => error !== null);
  if (settled.length === 0) return 'Nothing was changed.\n';
  const faults = failed.map(({ uuid, error }) => `  ${uuid}  ${error}\n`).join('');
  return `Cancelled ${settled.length - failed.length} plans, ${failed.length} were refused.\n${faults}`;
}

function jsonOf(endpoint: string, left: readonly LeftPlan[], settled: readonly SettledPlan[]): string {
  const outcomes = new Map(settled.map(({ uuid, error }) => [uuid, error]));
  const plans = left.map(({ uuid, state }) => ({
    uuid,
    state,
    settled: outcomes.get(uuid) === null,
    error: outcomes.get(uuid) ?? null,
  }));
  return `${JSON.stringify({ url: endpoint, plans })}\n`;
}

function explained(error: OpenStackError): OperatorError {
  return new OperatorError(`${error.service}: ${error.message}`, { cause: error, exitCode: 1 });
}

function readUrl(text: string): string {
  if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text))
    throw new OperatorError(`${text} is not an http URL`, { exitCode: 2 });
  return text.replace(/\/+$/, '');
}

function print(text: string): void {
  process.stdout.write(printable(text, '\n'));
}
