import { messageOf } from '#libs/domain';
import { createRandom } from '#libs/service-kit';
import { benchArguments } from '../arguments.ts';
import { withTestServers } from '../test-servers.ts';
import { disturb } from './disturbances.ts';
import { collectEvents } from './event-collector.ts';
import { sampleLeases } from './lease-samples.ts';
import { takeBrokerAway } from './outage.ts';
import { startChaosStack } from './stack.ts';
import { explainTakeovers } from './takeovers.ts';
import { judge, type Verdict } from './verdict.ts';
import { createWorkload } from './workload.ts';

/** Time for the last plans to end when nothing is disturbed any more, in milliseconds. */
const settleLimitMs = 90_000;
/** Longest run before that, per kill. */
const limitMsPerKill = 15_000;

/**
 * `node dist/bench/chaos/main.js [--kills N] [--seed S] [--plans N] [--width N] [--json]`: works through plans while
 * processes, connections and answers of the cloud are killed, frozen, delayed and duplicated. Everything is drawn from
 * the seed; what the machine makes of it differs. The last line is one JSON object; exit code 1 when something got lost.
 * With `--outage-minutes N` nothing is killed; RabbitMQ is away for so long, and the others for parts of it, and then it
 * is a fault too when work fails.
 */
async function main(args: string[]): Promise<void> {
  const defaultSeed = Math.floor(Math.random() * 1_000_000) + 1;
  const { json, numbers } = benchArguments(args, {
    ...{ kills: 20, seed: defaultSeed, plans: 0, width: 8 },
    'outage-minutes': 0,
  });
  const { seed } = numbers;
  const minutes = numbers['outage-minutes'];
  const kills = minutes > 0 ? 0 : numbers.kills;
  const wanted = numbers.plans || 2 * kills;
  const tell = (text: string) => json || process.stderr.write(`${text}\n`);
  await withTestServers(['postgres', 'rabbitmq'], async () => {
    const random = createRandom(seed);
    const stack = await startChaosStack(createRandom(seed + 1), tell);
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
      const limitMs = kills * limitMsPerKill + minutes * 60_000 + settleLimitMs;
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
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`chaos: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
