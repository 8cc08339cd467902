import Table from 'cli-table3';
import { createVigilClient } from '#libs/client';
import { messageOf, silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { createDraw } from '#libs/random-worlds';
import { benchArguments } from '../../bench/arguments.ts';
import { createRawHttp } from '../../tests/cloud-contract/raw-http.ts';
import { type BootedServers, bootServers, openServices } from './boot-servers.ts';
import { failedActions, failedMigrations, type Refusal } from './find-refusals.ts';
import { type HandMove, moveByHand } from './move-by-hand.ts';
import { type AuditRun, runAudits } from './run-audits.ts';

const help = `npm run cloud-plans -- [--servers N] [--audits N] [--seed S] [--by-hand] [--keep] [--json]

Boots servers of every kind that Nova limits on the cloud of OS_*, lets the Vigil of its catalogue (or of VIGIL_API_URL)
audit it with every strategy, starts each plan, and counts the refusals of the cloud. For a cloud without other users.

--servers N   servers to boot (300)
--audits N    audits, one after the other (20)
--seed S      of servers and audits; random unless given
--by-hand     first requests moves that the rules of Nova forbid, two for each kind of server, without Vigil
--keep        leaves the servers
--json        one JSON document on standard output, and no table

Exit code 1 when a plan was refused, an audit failed, or a forbidden move by hand was accepted. 2 when the run could not
take place.
`;

const onProgress = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

async function main(args: string[]): Promise<void> {
  const defaults = { servers: 300, audits: 20, seed: Math.floor(Math.random() * 1_000_000) + 1 };
  const { json, numbers, flags } = benchArguments(args, defaults, ['by-hand', 'keep']);
  const config = openStackConfigFromEnv(process.env);
  const cloud = createOpenStackCloud(config, { logger: silentLogger, clock: { now: Date.now } });
  const raw = createRawHttp(cloud, config.authUrl);
  const draw = createDraw(numbers.seed);
  onProgress(`seed ${numbers.seed}`);
  const booted = await bootServers({ cloud, raw, onProgress }, numbers.servers, draw);
  try {
    const byHand = flags['by-hand'] ? await moveByHand({ cloud, raw, onProgress }, booted) : [];
    const refusedByHand = new Set((await failedMigrations(cloud, booted.kinds)).map(({ migration }) => migration));
    const url = process.env.VIGIL_API_URL ?? (await cloud.identity.endpoint('infra-optim'));
    if (url === null) throw new Error('the catalogue has no infra-optim, and VIGIL_API_URL is not set');
    const client = createVigilClient({ url, tokenProvider: () => cloud.identity.token() });
    const hosts = (await openServices(cloud)).map(({ host }) => host);
    const runs = await runAudits(client, {
      hosts,
      count: numbers.audits,
      draw,
      onRun: (run) => onProgress(lineOf(run)),
    });
    const migrations = await failedMigrations(cloud, booted.kinds);
    const refusals = [
      ...failedActions(runs, booted.kinds),
      ...migrations.filter(({ migration }) => !refusedByHand.has(migration)),
    ];
    finish({ ...numbers, booted, byHand, runs, refusals }, json);
  } finally {
    if (!flags.keep) await booted.remove();
    await cloud.close();
  }
}

function countStates(run: AuditRun): string {
  const counts = new Map<string, number>();
  for (const { state } of run.actions) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || 'no plan';
}

function lineOf(run: AuditRun): string {
  const message = run.message === null ? '' : `: ${run.message}`;
  return `${run.strategy}: ${run.state}, ${countStates(run)}${run.state === 'SUCCEEDED' ? '' : message}`;
}

interface Result {
  servers: number;
  audits: number;
  seed: number;
  booted: BootedServers;
  byHand: readonly HandMove[];
  runs: readonly AuditRun[];
  refusals: readonly Refusal[];
}

function finish({ booted, byHand, runs, refusals, ...settings }: Result, json: boolean): void {
  const failed = runs.filter(({ plan, state }) => plan === null && state !== 'SUCCEEDED');
  const actions = runs.flatMap((run) => run.actions);
  const document = {
    ...settings,
    running: booted.kinds.size,
    unplaced: booted.unplaced,
    plans: runs.filter(({ plan }) => plan !== null).length,
    actions: actions.length,
    succeeded: actions.filter(({ state }) => state === 'SUCCEEDED').length,
    by_hand: byHand,
    failed_audits: failed.map(lineOf),
    refusals,
  };
  const accepted = byHand.filter(({ refusal }) => refusal === null);
  if (refusals.length + failed.length + accepted.length > 0) process.exitCode = 1;
  if (json) {
    process.stdout.write(`${JSON.stringify(document)}\n`);
    return;
  }
  const table = new Table({ head: ['strategy', 'state', 'actions'], style: { head: [], border: [] } });
  for (const run of runs) table.push([run.strategy, run.state, countStates(run)]);
  process.stdout.write(`${table.toString()}\n`);
  for (const { kind, server, to } of accepted) process.stdout.write(`accepted by hand: ${kind}, ${server} to ${to}\n`);
  for (const { strategy, subject, action, reason } of refusals) {
    process.stdout.write(
      `refused: ${[strategy, action, subject].filter((part) => part !== '').join(', ')}: ${reason}\n`,
    );
  }
  const { running, plans, succeeded } = document;
  const refusedMoves = byHand.length - accepted.length;
  if (byHand.length > 0) process.stdout.write(`${refusedMoves} of ${byHand.length} forbidden moves by hand refused\n`);
  process.stdout.write(`${running} servers, ${plans} plans, ${succeeded} actions done, ${refusals.length} refused\n`);
}

try {
  if (process.argv.includes('--help')) process.stdout.write(help);
  else await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`cloud-plans: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
