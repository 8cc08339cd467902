import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '#libs/messaging';
import { ack, type CreateHarness, numberOf, publishAll, task, taskDefinition, until } from './harness.ts';

const deliveryLimit = 4;

/** How a message's handler behaves at each delivery; the last one repeats. */
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

/** What the contract says must become of a message whose consumers live: the deliveries, and whether it dies. */
function expected(behaviour: readonly string[]): { deliveries: number; dead: boolean } {
  for (let delivery = 0; delivery < deliveryLimit; delivery += 1) {
    const now = behaviour[Math.min(delivery, behaviour.length - 1)];
    if (now === 'ack') return { deliveries: delivery + 1, dead: false };
    if (now === 'dead') return { deliveries: delivery + 1, dead: true };
  }
  return { deliveries: deliveryLimit, dead: true };
}

/** Random schedules of publishing, failing and restarting. */
export function describeProperties(createHarness: CreateHarness, runs: number): void {
  describe('random schedules', () => {
    it('every message is acknowledged or buried, after as many deliveries as the contract says', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (schedule) => {
          const harness = await createHarness([taskDefinition({ deliveryLimit, retrySeconds: [0.02, 0.05] })]);
          try {
            const bus = await harness.createBus();
            const plan: string[][] = [];
            const deliveries = new Map<number, number>();
            const consume = () =>
              bus.consume(
                'task.run',
                async (envelope) => {
                  const number = numberOf(envelope);
                  const behaviour = plan[number] ?? ['ack'];
                  deliveries.set(number, (deliveries.get(number) ?? 0) + 1);
                  return verdictFor(behaviour[Math.min(envelope.attempt, behaviour.length - 1)]);
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
            const outcomes = plan.map(expected);
            const total = outcomes.reduce((sum, outcome) => sum + outcome.deliveries, 0);
            const sum = () => [...deliveries.values()].reduce((a, b) => a + b, 0);
            const dead = outcomes.flatMap((outcome, number) => (outcome.dead ? [number] : []));
            await until('all deliveries', () => sum() >= total);
            await until('all dead letters', async () => (await bus.deadLetters(100)).length >= dead.length);
            await sleep(80);
            expect(plan.map((_, number) => deliveries.get(number))).toEqual(outcomes.map((o) => o.deliveries));
            const buried = (await bus.deadLetters(100)).map(({ envelope }) => numberOf(envelope));
            expect(buried.sort((a, b) => a - b)).toEqual(dead);
          } finally {
            await harness.dispose();
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
