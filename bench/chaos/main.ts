import { messageOf } from '#libs/domain';
import { createRandom } from '#libs/service-kit';
import { benchArguments } from '../arguments.ts';
import { withTestServers } from '../test-servers.ts';
import { disturb } from './disturbances.ts';
import { collectEvents } from './event-collector.ts';
import { sampleLeases } from './lease-samples.ts';
import { takeBrokerAway } from './outage.ts';
import { shortLeaseSeconds, startChaosStack } from './stack.ts';
import { explainTakeovers } from './takeovers.ts';
import { judge, type Verdict } from './verdict.ts';
import { createWorkload } from './workload.ts';

/** Time for the last plans to end when nothing is disturbed any more, in lengths of the lease. */
const settleLeases = 18;
/** Longest run before that, per kill. */
const leasesPerKill = 3;

const help = `npm run chaos -- [--kills N] [--seed S] [--plans N] [--width N] [--lease SECONDS] [--outage-minutes N] [--json]

--kills N           processes that are killed, one after the other (20)
--seed S            of the schedule of disturbances; random unless given
--plans N           plans at least; twice as many as kills unless given
--width N           plans at a time (8)
--lease SECONDS     length of the leases (5); all other periods are in their default proportion to it, so that with 30
                    everything is at its default; freezes are twice as long
--outage-minutes N  kills nothing, takes RabbitMQ away instead
--json              nothing but the last line on standard output; take-overs are explained on standard error as well

Last line: {"kills","plans","actions","lost","duplicated_mutations","stuck","lost_events","max_takeover_s","seed"}
max_takeover_s: of all plans whose applier was killed or frozen, the longest time from that instant until another run
held the plan, as far as one and the same applier was there: neither frozen, nor between a kill and its restart. The
time that this applier needs to start, to notice, or to wait for the database or the cloud is counted. The time from
the loss to the next run, whatever else was killed in between, is told beside it on standard error.
bench/chaos/README.md says what the other figures count.
`;

/**
 * `node dist/bench/chaos/main.js [--kills N] [--seed S] [--plans N] [--width N] [--lease SECONDS] [--json]`: works through plans while
 * processes, connections and answers of the cloud are killed, frozen, delayed and duplicated. Everything is drawn from
 * the seed; what the machine makes of it differs. The last line is one JSON object; exit code 1 when something got lost.
 * With `--outage-minutes N` nothing is killed; RabbitMQ is away for so long, and the others for parts of it, and then it
 * is a fault too when work fails.
 */
async function main(args: string[]): Promise<void> {
  const defaultSeed = Math.floor(Math.random() * 1_000_000) + 1;
  const { json, numbers } = benchArguments(args, {
    ...{ kills: 20, seed: defaultSeed, plans: 0, width: 8 },
    ...{ 'outage-minutes': 0, lease: shortLeaseSeconds },
  });
  const { seed } = numbers;
  const minutes = numbers['outage-minutes'];
  const kills = minutes > 0 ? 0 : numbers.kills;
  const wanted = numbers.plans || 2 * kills;
  const tell = (text: string) => json || process.stderr.write(`${text}\n`);
  await withTestServers(['postgres', 'rabbitmq'], async () => {
    const random = createRandom(seed);
    const stack = await startChaosStack(createRandom(seed + 1), numbers.lease, tell);
    try {
      const before = await stack.cloud.compute.listServers();
      const events = await collectEvents(stack.store);
      const leases = sampleLeases(stack.store, tell);
      const workload = await createWorkload(stack, createRandom(seed + 2));
      let isCalm = false;
      const disturbing = (minutes > 0 ? takeBrokerAway(stack, minutes, tell) : disturb(stack, kills, random)).finally(
        () => {
          isCalm = true;
        },
      );
      const limitMs = (kills * leasesPerKill + settleLeases) * numbers.lease * 1000 + minutes * 60_000;
      await workload.run(numbers.width, (plans) => isCalm && plans >= wanted, limitMs);
      await disturbing;
      tell(`calm after ${Math.round(performance.now() / 1000)} s`);
      await Promise.all([events.stop(), leases.stop()]);
      const verdict = await judge(stack, before, { events, leases });
      tell(`judged after ${Math.round(performance.now() / 1000)} s, ${verdict.rollbacks} plans rolled back others`);
      for (const line of linesOf(verdict)) tell(line);
      for (const line of explainTakeovers(stack, verdict.takeovers)) process.stderr.write(`${line}\n`);
      finish(verdict, { kills, minutes, seed });
    } finally {
      await stack.stop();
    }
  });
}

function linesOf(verdict: Verdict): string[] {
  const { lost, duplicated, stuck, lostEvents, failed } = verdict;
  return Object.entries({ lost, duplicated, stuck, lostEvents, failed }).flatMap(([kind, lines]) =>
    lines.map((line) => `${kind}: ${line}`),
  );
}

function finish(verdict: Verdict, run: { kills: number; minutes: number; seed: number }): void {
  const { kills, minutes, seed } = run;
  const failed = minutes > 0 ? verdict.failed.length : 0;
  const result = {
    ...(minutes > 0 ? { outage_minutes: minutes, failed } : { kills }),
    plans: verdict.plans,
    actions: verdict.actions,
    lost: verdict.lost.length,
    duplicated_mutations: verdict.duplicated.length,
    stuck: verdict.stuck.length,
    lost_events: verdict.lostEvents.length,
    max_takeover_s: Math.round((verdict.takeovers[0]?.seconds ?? 0) * 10) / 10,
    seed,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  const isWell = result.lost + result.duplicated_mutations + result.stuck + result.lost_events + failed === 0;
  if (!isWell) process.exitCode = 1;
}

try {
  if (process.argv.includes('--help')) process.stdout.write(help);
  else await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`chaos: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
