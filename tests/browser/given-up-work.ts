import { waitUntil } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { planLaunch } from '#libs/messaging';
import { createPostgresBus } from '#libs/messaging/postgres';
import { newUuid } from '#libs/service-kit';

/** Leaves messages in the dead letters of the database's bus. No other process may consume yet. */
export async function addDeadLetters(databaseUrl: string, count: number, reason: string): Promise<void> {
  const bus = await createPostgresBus({ url: databaseUrl, logger: silentLogger, appId: 'test' });
  const consumer = await bus.consume(planLaunch.type, async () => ({ kind: 'dead', reason }), { prefetch: 1 });
  const envelopes = Array.from({ length: count }, () => ({
    messageId: newUuid(),
    type: planLaunch.type,
    body: { schema: 'plan.launch/1', plan_uuid: newUuid(), launch_seq: 1, requested_by: null },
    attempt: 0,
    timestamp: '2026-01-01T00:00:00.000Z',
  }));
  await bus.publish(envelopes);
  const limits = { pollMs: 50, timeoutMs: 60_000 };
  await waitUntil(
    () => bus.deadLetterCount(),
    (known) => known === count,
    limits,
    'parking of messages',
  );
  await consumer.stop();
  await bus.close();
}
