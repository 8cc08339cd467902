import { createRandom, messageOf } from '#libs/domain';
import { type StackServers, startStackServers } from '../../verify/stack/servers.ts';
import { benchArguments } from '../arguments.ts';
import { disturb } from './disturbances.ts';
import { collectEvents } from './event-collector.ts';
import { sampleLeases } from './lease-samples.ts';
import { type Outage, takeAway } from './outage.ts';
import { shortLeaseSeconds, startChaosStack } from './stack.ts';
import { explainTakeovers } from './takeovers.ts';
import { createThings } from './things.ts';
import { faultsOf, judge, type Verdict } from './verdict.ts';
import { createWorkload } from './workload.ts';

/** Time for the last plans to end when nothing is disturbed any more, in lengths of the lease. */
const settleLeases = 18;
/** Longest run before that, per kill. */
const leasesPerKill = 3;
const progressEveryMs = 30_000;

const help = `npm run chaos -- [--kills N] [--seed S] [--plans N] [--width N] [--lease SECONDS] [--outage-minutes N | --database-outage-minutes N] [--json]

--kills N           processes that are killed, one after the other (20)
--seed S            of the schedule of disturbances; random unless given
--plans N           plans at least; as many as kills unless given
--width N           plans at a time (8)
--lease SECONDS     length of the leases (5); all other periods are in their default proportion to it, so that with 30
                    everything is at its default; freezes are twice as long
--outage-minutes N  kills nothing, takes RabbitMQ away instead
--database-outage-minutes N  the same with PostgreSQL
--json              nothing but the last line on standard output; take-overs are explained on standard error as well

Ctrl-C (or SIGINT) ends it early, with a verdict on what was done.
Last line: {"kills","server_troubles","plans","actions","lost","duplicated_mutations","stuck","untrue","false_failures","foreign_aborts",
            "lost_events","max_takeover_s","max_ready_takeover_s","seconds","seed"}
max_takeover_s: of all plans whose applier was killed or frozen, the longest time from that instant until another run
held the plan, as far as one and the same applier was there: neither frozen, nor between a kill and its restart. The
time that this applier needs to start, to notice, or to wait for the database or the cloud is counted. The time from
the loss to the next run, whatever else was killed in between, is told beside it on standard error.
max_ready_takeover_s: the same without starts, and without the time in which PostgreSQL was killed, frozen or out of reach
by the schedule. On a busy machine starts take most of the other.
bench/chaos/README.md says what the other figures count.
`;

/**
 * `node dist/bench/chaos/main.js [--kills N] [--seed S] [--plans N] [--width N] [--lease SECONDS] [--json]`: works
 * through plans while processes, connections and answers of the cloud are killed, frozen, delayed and duplicated.
 * Everything is drawn from the seed. What the machine makes of it differs. The last line is one JSON object. Exit code
 * 1 when something went wrong. With `--outage-minutes N` nothing is killed; RabbitMQ (or with
 * `--database-outage-minutes N` PostgreSQL) is away for so long, and the others for parts of it, and then it is a fault
 * too when work fails.
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
  const tell = (text: string) => json || process.stderr.write(`${text}\n`);
  const ending = endOnInterrupt();
  const servers = await startStackServers();
  try {
    await runOn(servers, { kills, minutes, outageOf, wanted, ending, tell, numbers });
  } finally {
    await servers.stop();
  }
}

interface RunOptions {
  kills: number;
  /** Of the outage of this; 0 for kills instead. */
  minutes: number;
  outageOf: Outage['of'];
  /** Plans at least. */
  wanted: number;
  ending: AbortSignal;
  tell(text: string): unknown;
  numbers: { seed: number; width: number; lease: number };
}

async function runOn(servers: StackServers, options: RunOptions): Promise<void> {
  const { kills, minutes, outageOf, wanted, ending, tell, numbers } = options;
  const { seed } = numbers;
  const stack = await startChaosStack({
    servers,
    random: createRandom(seed + 1),
    leaseSeconds: numbers.lease,
    onTrouble: tell,
  });
  let progress: Progress | undefined;
  try {
    const before = await stack.cloud.compute.listServers({});
    const things = await createThings(stack.cloud, createRandom(seed + 3));
    const events = await collectEvents(stack.store);
    const leases = sampleLeases(stack.store);
    const workload = await createWorkload(stack, things, createRandom(seed + 2));
    progress = showProgress(() => workload.begun());
    let isCalm = false;
    const run = { kills, random: createRandom(seed), onKill: progress.onKill, signal: ending };
    const disturbing = (
      minutes > 0
        ? takeAway(stack, { of: outageOf, minutes, signal: ending, tell }).then(() => nothingKilled)
        : disturb(stack, run)
    ).finally(() => {
      isCalm = true;
    });
    const limitMs = (kills * leasesPerKill + settleLeases) * numbers.lease * 1000 + minutes * 60_000;
    const begin = performance.now();
    const enough = (plans: number) => isCalm && (plans >= wanted || ending.aborted);
    const [done] = await Promise.all([disturbing, workload.run(numbers.width, enough, limitMs)]);
    tell(`calm after ${secondsSince(begin)} s`);
    await Promise.all([events.stop(), leases.stop()]);
    const verdict = await judge(stack, before, { events, leases, workload, things });
    tell(`judged after ${secondsSince(begin)} s, ${verdict.rollbacks} plans rolled back others`);
    for (const line of linesOf(verdict)) process.stderr.write(`${line}\n`);
    for (const line of explainTakeovers(stack, verdict.takeovers)) process.stderr.write(`${line}\n`);
    finish(verdict, { ...done, minutes, seed, seconds: secondsSince(begin) });
  } catch (error) {
    // At once: what is stopped now may fail too, for the same reason.
    process.stderr.write(`chaos breaks off: ${messageOf(error)}\n`);
    throw error;
  } finally {
    progress?.stop();
    await stack.stop();
  }
}

const nothingKilled = { killed: 0, serverTroubles: 0 };

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 1000);
}

/**
 * Ctrl-C, or SIGINT from elsewhere, ends the disturbances. What runs then ends in peace and is judged. A second one
 * ends it all.
 */
function endOnInterrupt(): AbortSignal {
  const ending = new AbortController();
  process.once('SIGINT', () => {
    process.stderr.write('chaos ends early: what was begun is waited for and judged\n');
    ending.abort();
  });
  return ending.signal;
}

interface Progress {
  onKill(killed: number, troubles: number): void;
  stop(): void;
}

/** A line on standard error twice a minute. */
function showProgress(plans: () => number): Progress {
  const begin = performance.now();
  let [killed, troubles] = [0, 0];
  const timer = setInterval(() => {
    const seconds = secondsSince(begin);
    const pace = killed > 0 ? `, ${(seconds / killed).toFixed(1)} s a kill` : '';
    process.stderr.write(
      `${seconds} s: ${killed} killed, ${troubles} server troubles, ${plans()} plans begun${pace}\n`,
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

/** The longest, to a tenth of a second; 0 for none. */
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
