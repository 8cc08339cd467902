import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '#libs/messaging';
import {
  ack,
  type BusHarness,
  type CreateHarness,
  numberOf,
  publishAll,
  task,
  taskDefinition,
  until,
} from './harness.ts';

const deliveryLimit = 4;

/** How a message's handler behaves at each delivery. The last one repeats. */
const behaviours = fc.array(fc.constantFrom('ack', 'retry', 'throw', 'dead'), { minLength: 1, maxLength: 3 });

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('publish' as const),
      messages: fc.array(behaviours, { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ kind: fc.constant('restart consumer' as const) }),
  ),
  { minLength: 1, maxLength: 8 },
);

function verdictFor(behaviour: string | undefined): Verdict {
  if (behaviour === 'retry') return { kind: 'retry', reason: 'later' };
  if (behaviour === 'dead') return { kind: 'dead', reason: 'never' };
  if (behaviour === 'throw') throw new Error('broken');
  return ack;
}

/** Expected fate of a message whose consumers are never stopped: the handler's calls, and whether it dies. */
function expected(behaviour: readonly string[]): { calls: number; dead: boolean } {
  for (let call = 0; call < deliveryLimit; call += 1) {
    const now = behaviour[Math.min(call, behaviour.length - 1)];
    if (now === 'ack') return { calls: call + 1, dead: false };
    if (now === 'dead') return { calls: call + 1, dead: true };
  }
  return { calls: deliveryLimit, dead: true };
}

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Runs the schedule and returns the fate of the messages. Their numbers are their places in `plan`. */
async function play(schedule: readonly Step[], harness: BusHarness) {
  const bus = await harness.createBus();
  const plan: string[][] = [];
  const calls: number[] = [];
  const acked = new Set<number>();
  const consume = () =>
    bus.consume(
      'task.run',
      async (envelope) => {
        const number = numberOf(envelope);
        const behaviour = plan[number] ?? [];
        const call = calls[number] ?? 0;
        calls[number] = call + 1;
        const verdict = verdictFor(behaviour[Math.min(call, behaviour.length - 1)]);
        if (verdict.kind === 'ack') acked.add(number);
        return verdict;
      },
      { prefetch: 3 },
    );
  let consumer = await consume();
  for (const step of schedule) {
    if (step.kind === 'pause') await sleep(step.ms);
    if (step.kind === 'restart consumer') {
      await consumer.stop();
      consumer = await consume();
    }
    if (step.kind === 'publish') {
      const first = plan.length;
      plan.push(...step.messages);
      await publishAll(
        bus,
        step.messages.map((_, index) => task(first + index)),
      );
    }
  }
  const buried = async () => (await bus.deadLetters(100)).map(({ envelope }) => numberOf(envelope));
  await until('an end for every message', async () => acked.size + (await buried()).length >= plan.length);
  // A marker arrives after all further deliveries of the others.
  plan.push(['ack']);
  await publishAll(bus, [task(plan.length - 1)]);
  await until('the marker', () => acked.has(plan.length - 1));
  return { plan, calls, acked: [...acked].sort(ascending), dead: (await buried()).sort(ascending) };
}

function ascending(a: number, b: number): number {
  return a - b;
}

function everyMessageEndsOnce({ plan, calls, acked, dead }: Awaited<ReturnType<typeof play>>): void {
  expect([...acked, ...dead].sort(ascending)).toEqual(plan.map((_, number) => number));
  for (const count of calls) expect(count).toBeLessThanOrEqual(deliveryLimit);
}

/** Random schedules of publishing, failing and restarting. */
export function describeProperties(createHarness: CreateHarness, runs: number): void {
  describe('random schedules', () => {
    it('end every message once, after as many deliveries as the contract says', async () => {
      const schedules = fc.asyncProperty(steps, async (schedule) => {
        const harness = await createHarness([taskDefinition({ deliveryLimit, retrySeconds: [0.02, 0.05] })]);
        try {
          const played = await play(schedule, harness);
          everyMessageEndsOnce(played);
          // A message on its way to a consumer that stops may count as delivered without having reached the handler.
          if (schedule.some(({ kind }) => kind === 'restart consumer')) return;
          const outcomes = played.plan.map(expected);
          expect(played.calls).toEqual(outcomes.map(({ calls }) => calls));
          expect(played.dead).toEqual(outcomes.flatMap(({ dead }, number) => (dead ? [number] : [])));
        } finally {
          await harness.dispose();
        }
      });
      await fc.assert(schedules, { numRuns: runs, endOnFailure: true });
    });
  });
}
