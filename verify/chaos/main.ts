import { createRandom, messageOf } from '#libs/domain';
import { benchArguments } from '../../bench/arguments.ts';
import { type StackServers, startStackServers } from '../stack/servers.ts';
import { disturb } from './disturbances.ts';
import { collectEvents } from './event-collector.ts';
import { sampleLeases } from './lease-samples.ts';
import { type Outage, playOutage } from './outage.ts';
import { shortLeaseSeconds, startChaosStack } from './stack.ts';
import { explainTakeovers } from './takeovers.ts';
import { createThings } from './things.ts';
import { faultsOf, judge, type Verdict } from './verdict.ts';
import { createWorkload } from './workload.ts';

/** Longest time without an end of a plan after the disturbances, in leases. Plans that still run then are stuck. */
const settleLeases = 18;
const progressEveryMs = 30_000;

const help = `npm run chaos -- [--kills N] [--seed S] [--plans N] [--width N] [--lease SECONDS] [--outage-minutes N | --database-outage-minutes N] [--json]

--kills N           processes to kill, one after the other (20)
--seed S            seed of the schedule (random)
--plans N           least number of plans (number of kills)
--width N           parallel plans (8)
--lease SECONDS     length of the leases (5). All other periods keep their default proportion to it, so that 30 selects
                  all defaults. Freezes last twice as long.
--outage-minutes N  kills nothing and stops RabbitMQ instead
--database-outage-minutes N  kills nothing and stops PostgreSQL instead
--json              prints only the last line on standard output, and explains take-overs on standard error

Ctrl-C (or SIGINT) ends the run early and judges the plans so far.
Last line: {"kills","server_troubles","plans","actions","lost","duplicated_mutations","stuck","untrue","false_failures","foreign_aborts",
"lost_events","max_takeover_s","max_ready_takeover_s","seconds","seed"}
max_takeover_s: longest time from the kill or freeze of a plan's applier until another run held the plan. Only time in
which one and the same other applier was up counts: neither frozen, nor between a kill and its restart. The time that
this applier needs to start, to detect the loss, or to wait for the database or the cloud counts. Standard error also
shows the full time from the loss to the next run, with all other kills in between.
max_ready_takeover_s: the same without starts, and without the time in which the schedule made PostgreSQL unavailable.
On a busy machine, starts are the larger part of max_takeover_s.
verify/chaos/README.md explains the other figures.
`;

/**
 * `node dist/verify/chaos/main.js [options]`: runs plans while processes, connections and responses of the cloud are
 * killed, frozen, delayed and duplicated. The seed determines the schedule. Its effects still depend on the machine.
 * The last line is one JSON object. Exits with code 1 on any fault.
 * With `--outage-minutes N` nothing is killed. RabbitMQ is unavailable for this time, and the other servers for parts
 * of it. With `--database-outage-minutes N` PostgreSQL is unavailable instead. Failed work is then a fault too.
 */
async function main(args: string[]): Promise<void> {
  const defaultSeed = Math.floor(Math.random() * 1_000_000) + 1;
  const { json, numbers } = benchArguments(args, {
    ...{ kills: 20, seed: defaultSeed, plans: 0, width: 8 },
    ...{ 'outage-minutes': 0, 'database-outage-minutes': 0, lease: shortLeaseSeconds },
  });
  const minutes = numbers['outage-minutes'] || numbers['database-outage-minutes'];
  const outageOf = numbers['outage-minutes'] > 0 ? 'rabbitmq' : 'postgres';
  const kills = minutes > 0 ? 0 : numbers.kills;
  const wanted = numbers.plans || kills;
  const report = (text: string) => json || process.stderr.write(`${text}\n`);
  const ending = endOnInterrupt();
  const servers = await startStackServers();
  try {
    await runOn(servers, { kills, minutes, outageOf, wanted, ending, report, numbers });
  } finally {
    await servers.stop();
  }
}

interface RunOptions {
  kills: number;
  /** Length of the outage. 0 for kills instead. */
  minutes: number;
  outageOf: Outage['of'];
  /** Least number of plans. */
  wanted: number;
  ending: AbortSignal;
  report(text: string): unknown;
  numbers: { seed: number; width: number; lease: number };
}

async function runOn(servers: StackServers, options: RunOptions): Promise<void> {
  const { kills, minutes, outageOf, wanted, ending, report, numbers } = options;
  const { seed } = numbers;
  const stack = await startChaosStack({
    servers,
    random: createRandom(seed + 1),
    leaseSeconds: numbers.lease,
    onTrouble: report,
  });
  report('stack is ready');
  const aborting = new AbortController();
  const signal = AbortSignal.any([ending, aborting.signal]);
  let progress: Progress | undefined;
  try {
    const before = await stack.cloud.compute.listServers({});
    const things = await createThings(stack.cloud, createRandom(seed + 3));
    const events = await collectEvents(stack.store, aborting.signal);
    const leases = sampleLeases(stack.store, aborting.signal);
    const workload = await createWorkload(stack, things, createRandom(seed + 2), aborting.signal);
    progress = showProgress(() => workload.started());
    let isCalm = false;
    const run = { kills, random: createRandom(seed), onKill: progress.onKill, signal };
    const disturbing = (
      minutes > 0
        ? playOutage(stack, { of: outageOf, minutes, signal, report }).then(() => nothingKilled)
        : disturb(stack, run)
    ).finally(() => {
      isCalm = true;
    });
    const begin = performance.now();
    const enough = (plans: number) => isCalm && (plans >= wanted || ending.aborted);
    const settleMs = settleLeases * numbers.lease * 1000;
    const running = workload.run({ width: numbers.width, calm: disturbing, enough, settleMs });
    const [done] = await allOrAbort(aborting, [disturbing, running]);
    report(`calm after ${secondsSince(begin)} s`);
    await Promise.all([events.stop(), leases.stop()]);
    const verdict = await judge(stack, before, { events, leases, workload, things });
    report(`judged after ${secondsSince(begin)} s, ${verdict.rollbacks} plans rolled back others`);
    for (const line of linesOf(verdict)) process.stderr.write(`${line}\n`);
    for (const line of explainTakeovers(stack, verdict.takeovers)) process.stderr.write(`${line}\n`);
    finish(verdict, { ...done, minutes, seed, seconds: secondsSince(begin) });
  } catch (error) {
    process.stderr.write(`chaos aborted: ${messageOf(error)}\n`);
    aborting.abort();
    // A server that caused the abort may also fail the stop.
    await stack.stop().catch((failure: unknown) => report(`cannot stop the stack: ${messageOf(failure)}`));
    throw error;
  } finally {
    progress?.stop();
  }
  await stack.stop();
}

/** Waits for both. The first failure aborts the other, and is thrown once both have ended. */
async function allOrAbort<One, Other>(
  aborting: AbortController,
  running: [Promise<One>, Promise<Other>],
): Promise<[One, Other]> {
  const both = Promise.all(running);
  await both.catch(() => aborting.abort());
  await Promise.allSettled(running);
  return both;
}

const nothingKilled = { killed: 0, serverTroubles: 0 };

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 1000);
}

/**
 * Ctrl-C or SIGINT ends the disturbances. Running plans end undisturbed and are checked. A second signal ends the
 * process.
 */
function endOnInterrupt(): AbortSignal {
  const ending = new AbortController();
  process.once('SIGINT', () => {
    process.stderr.write('chaos ends early: waiting for running plans, then judging\n');
    ending.abort();
  });
  return ending.signal;
}

interface Progress {
  onKill(killed: number, troubles: number): void;
  stop(): void;
}

/** Writes a line to standard error twice a minute. */
function showProgress(plans: () => number): Progress {
  const begin = performance.now();
  let [killed, troubles] = [0, 0];
  const timer = setInterval(() => {
    const seconds = secondsSince(begin);
    const pace = killed > 0 ? `, ${(seconds / killed).toFixed(1)} s a kill` : '';
    process.stderr.write(
      `${seconds} s: ${killed} killed, ${troubles} server troubles, ${plans()} plans started${pace}\n`,
    );
  }, progressEveryMs);
  return {
    onKill(count, ofServers) {
      [killed, troubles] = [count, ofServers];
    },
    stop: () => clearInterval(timer),
  };
}

function linesOf(verdict: Verdict): string[] {
  return Object.entries({ ...faultsOf(verdict), failed: verdict.failed }).flatMap(([kind, lines]) =>
    lines.map((line) => `${kind}: ${line}`),
  );
}

interface Run {
  killed: number;
  serverTroubles: number;
  minutes: number;
  seconds: number;
  seed: number;
}

function finish(verdict: Verdict, { killed, serverTroubles, minutes, seconds, seed }: Run): void {
  const failed = minutes > 0 ? verdict.failed.length : 0;
  const faults = Object.fromEntries(Object.entries(faultsOf(verdict)).map(([name, lines]) => [name, lines.length]));
  const result = {
    ...(minutes > 0 ? { outage_minutes: minutes, failed } : { kills: killed, server_troubles: serverTroubles }),
    plans: verdict.plans,
    actions: verdict.actions,
    ...faults,
    max_takeover_s: tenths(verdict.takeovers.map(({ seconds }) => seconds)),
    max_ready_takeover_s: tenths(verdict.takeovers.map(({ readySeconds }) => readySeconds)),
    seconds,
    seed,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (Object.values(faults).some((count) => count > 0) || failed > 0) process.exitCode = 1;
}

/** Returns the longest, in tenths of a second. 0 for an empty list. */
function tenths(lengths: readonly number[]): number {
  return Math.round(Math.max(0, ...lengths) * 10) / 10;
}

try {
  if (process.argv.includes('--help')) process.stdout.write(help);
  else await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`chaos: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
