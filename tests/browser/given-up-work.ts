import type { Page } from 'playwright-core';
import { silentLogger } from '#libs/domain';
import { planLaunch } from '#libs/messaging';
import { createPostgresBus } from '#libs/messaging/postgres';
import { newUuid, readBuildVersion } from '#libs/service-kit';

/** Leaves messages in the dead letters of the database's bus. Nobody else may consume yet. */
export async function parkMessages(databaseUrl: string, count: number): Promise<void> {
  const bus = await createPostgresBus({ url: databaseUrl, logger: silentLogger, appId: 'test' });
  const consumer = await bus.consume(
    planLaunch.type,
    async () => ({ kind: 'dead', reason: 'nobody could carry it out' }),
    { prefetch: 1 },
  );
  const envelopes = Array.from({ length: count }, () => ({
    messageId: newUuid(),
    type: planLaunch.type,
    body: { schema: 'plan.launch/1', plan_uuid: newUuid(), launch_seq: 1, requested_by: null },
    attempt: 0,
    timestamp: '2026-01-01T00:00:00.000Z',
  }));
  await bus.publish(envelopes);
  while ((await bus.deadLetterCount()) < count) await new Promise((resolve) => setTimeout(resolve, 50));
  await consumer.stop();
  await bus.close();
}

/** Asks, as who is signed in on the page, for a task that can only fail: a purge of a goal that there is not. */
export async function failTask(page: Page): Promise<void> {
  const status = await page.evaluate(
    async (version) =>
      (
        await fetch('/internal/tasks', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-Vigil-Dashboard': '1',
            'X-Vigil-Internal-Version': version,
          },
          body: JSON.stringify({ name: 'purge', args: { goal: 'none-such', dry_run: true } }),
        })
      ).status,
    readBuildVersion(),
  );
  if (status !== 202) throw new Error(`the task was not accepted: HTTP ${status}`);
}
